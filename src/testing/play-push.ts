/** The clients of a push face in one run. */
import { Client, type Answer } from './client.js';
import type { Action, From, PushCommand } from './commands.js';
import { BrokenPromise, checkConnection, type Interest, type Point } from './model.js';
import { interestNamed } from './names.js';
import type { PushFace, Trial } from './target.js';
import type { Changes } from './waiting.js';

const NAMES: Readonly<Record<PushCommand['do'], true>> = {
  subscribe: true,
  subscribeHeld: true,
  answer: true,
  unsubscribe: true,
  disconnect: true,
  reconnect: true,
  stall: true,
  release: true,
};

/** True for a command of subscriptions. */
export function isPushCommand(command: Action): command is PushCommand {
  return command.do in NAMES;
}

/** The requested start of a subscription. `refused`: its cursor must be rejected. */
type Beginning =
  | { readonly kind: 'now'; readonly cursor: true | undefined }
  | { readonly kind: 'behind'; readonly cursor: string; readonly begin: Point }
  | { readonly kind: 'refused'; readonly cursor: string };

type KnownCursor = Extract<Beginning, { readonly kind: 'behind' }> & {
  /** Name of the interest whose notification carried the cursor. */
  readonly name: string;
  readonly isAbandoned: boolean;
};

interface Held<Fact> {
  readonly request: number;
  readonly interest: Interest<Fact>;
  readonly asked: number;
}

export class PushPlayer<Fact> {
  /** Open connections by number, then ended ones. */
  readonly #clients = new Map<number, Client<Fact>>();
  readonly #past: Client<Fact>[] = [];
  readonly #held = new Map<Client<Fact>, Held<Fact>[]>();
  #lastRequest = 0;

  constructor(
    private readonly interests: readonly Interest<Fact>[],
    private readonly trial: Trial<Fact, Action>,
    private readonly changes: Changes,
  ) {}

  async play(command: PushCommand): Promise<void> {
    const client = await this.#client(command.client);
    if (command.do === 'disconnect') return client.close();
    if (command.do === 'reconnect') return await this.#reconnect(client, command.cursors);
    if (command.do === 'release') return client.release();
    // A client that does not read cannot get the answer of a request.
    if (!client.isReading) return;
    switch (command.do) {
      case 'stall':
        return client.stall();
      case 'answer':
        return await this.#answerHeld(client);
      case 'unsubscribe':
        return await this.#unsubscribe(client, command.which);
      case 'subscribe': {
        const interest = interestNamed(this.interests, command.interest);
        return await this.#subscribe(client, interest, await this.#beginning(interest, command.from));
      }
      case 'subscribeHeld':
        return await this.#subscribeHeld(client, interestNamed(this.interests, command.interest));
    }
  }

  /** Checks every connection; resolves with the items that the open subscriptions have yet to receive. */
  async lacking(): Promise<string | undefined> {
    if (this.trial.push === undefined) return undefined;
    // Read before the history, so that the history contains every delivered item.
    const read = [...this.#past, ...this.#clients.values()].map((client) => client.snapshot());
    const history = await this.trial.history();
    const { wording } = this.trial.push.protocol;
    const lacking = read.map((connection) => checkConnection(history, connection, wording));
    return lacking.find((text) => text !== undefined);
  }

  /** All clients read again. */
  release(): void {
    for (const client of this.#clients.values()) client.release();
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  get #face(): PushFace<Fact> {
    if (this.trial.push === undefined) throw new Error('this target has no push face');
    return this.trial.push;
  }

  async #shown(): Promise<number> {
    return (await this.trial.history()).length;
  }

  /** The open connection of a client. */
  async #client(number: number): Promise<Client<Fact>> {
    const known = this.#clients.get(number);
    if (known !== undefined && known.closed === undefined) return known;
    if (known !== undefined) this.#past.push(known);
    const client = await Client.connect(number, this.trial, this.#face, this.changes);
    this.#clients.set(number, client);
    return client;
  }

  async #reconnect(client: Client<Fact>, cursors: boolean): Promise<void> {
    const known = await this.#knownCursors();
    const left = client.open.map(({ id, interest }) => ({ interest, cursor: client.lastCursor(id) }));
    client.close();
    const next = await this.#client(client.client);
    for (const { interest, cursor } of left) {
      const last = known.find(
        (one) => cursors && one.cursor === cursor && one.name === interest.name && !one.isAbandoned,
      );
      await this.#subscribe(next, interest, last ?? { kind: 'now', cursor: undefined });
    }
  }

  async #beginning(interest: Interest<Fact>, from: From): Promise<Beginning> {
    const { protocol } = this.#face;
    const asks = protocol.asksForCursors === true;
    if (from === 'now') return { kind: 'now', cursor: undefined };
    if (from === 'the future') return { kind: 'refused', cursor: protocol.futureCursor };
    const { goneCursor } = this.#face;
    if (from === 'gone history')
      return goneCursor === undefined ? { kind: 'now', cursor: undefined } : { kind: 'refused', cursor: goneCursor };
    const isWanted = (one: KnownCursor): boolean =>
      typeof from === 'number' ? one.name === interest.name && !one.isAbandoned : one.isAbandoned;
    const placed = typeof from === 'number' ? this.#face.cursorAt?.(interest, from >>> 1) : undefined;
    if (placed !== undefined && typeof from === 'number' && from % 2 === 0) return { kind: 'behind', ...placed };
    const isPassedOver = from === 'now with cursors' || (from === 'an abandoned branch' && !asks);
    const known = isPassedOver ? [] : (await this.#knownCursors()).filter(isWanted);
    const chosen = known[typeof from === 'number' ? from % Math.max(1, known.length) : 0];
    if (chosen === undefined && placed !== undefined) return { kind: 'behind', ...placed };
    if (chosen === undefined) return { kind: 'now', cursor: asks ? true : undefined };
    return from === 'an abandoned branch' ? { kind: 'refused', cursor: chosen.cursor } : chosen;
  }

  /** Cursors of past notifications with the places in the history after which they resume. */
  async #knownCursors(): Promise<readonly KnownCursor[]> {
    const history = await this.trial.history();
    return [...this.#past, ...this.#clients.values()].flatMap(({ frames, subscriptions }) =>
      frames.flatMap((frame): readonly KnownCursor[] => {
        if (frame.kind !== 'event' || frame.cursor === undefined) return [];
        const interest = subscriptions.find(({ id }) => id === frame.subscription)?.interest;
        const facts = history.findIndex(({ fact }) => interest?.items(fact).some(({ key }) => key === frame.key));
        const entry = history[facts];
        if (interest === undefined || entry === undefined) return [];
        const place = interest.items(entry.fact).find(({ key }) => key === frame.key)?.place ?? -1;
        const isAbandoned = entry.abandonedAt !== undefined && entry.isRevert !== true;
        return [{ kind: 'behind', cursor: frame.cursor, begin: { facts, place }, name: interest.name, isAbandoned }];
      }),
    );
  }

  async #subscribe(client: Client<Fact>, interest: Interest<Fact>, beginning: Beginning): Promise<void> {
    const { protocol } = this.#face;
    const isTaken = protocol.isOncePerConnection && client.open.some((open) => open.interest === interest);
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const asked = await this.#shown();
    const answer = await client.request(request, protocol.subscribe(request, interest, beginning.cursor));
    if (beginning.kind === 'refused' && answer?.error === undefined && answer !== undefined)
      throw new BrokenPromise('bad cursor refused', `"${interest.name}" was subscribed behind ${beginning.cursor}`);
    if (isTaken && answer?.error === undefined && answer !== undefined)
      throw new BrokenPromise('answered', `"${interest.name}" was subscribed twice on one connection`);
    if (beginning.kind === 'refused' || isTaken || answer === undefined) return;
    this.#begin(client, { request, interest, asked }, answer, beginning, await this.#shown());
  }

  /** Records the subscription that an answer opens. */
  #begin(
    client: Client<Fact>,
    { request, interest, asked }: Held<Fact>,
    answer: Answer,
    beginning: Beginning,
    shown: number,
  ): void {
    const { protocol, beginsWhenAsked } = this.#face;
    const id = answer.error === undefined ? protocol.idOf(request, answer.result) : undefined;
    if (id === undefined)
      throw new BrokenPromise('answered', `"${interest.name}" got ${answer.error ?? JSON.stringify(answer.result)}`);
    const isExact = beginning.kind === 'behind' || beginsWhenAsked === true;
    client.subscriptions.push({
      interest,
      request,
      id,
      wantsCursors: beginning.cursor !== undefined,
      begin: beginning.kind === 'behind' ? beginning.begin : { facts: asked, place: -1 },
      asked,
      answered: isExact ? asked : shown,
      unsubscribed: undefined,
    });
  }

  async #subscribeHeld(client: Client<Fact>, interest: Interest<Fact>): Promise<void> {
    this.#lastRequest += 1;
    const held = { request: this.#lastRequest, interest, asked: await this.#shown() };
    this.#held.set(client, [...(this.#held.get(client) ?? []), held]);
    client.send(this.#face.protocol.subscribeHeld?.(held.request, interest) ?? '');
  }

  async #answerHeld(client: Client<Fact>): Promise<void> {
    const held = this.#held.get(client) ?? [];
    this.#held.delete(client);
    client.answerHeld();
    for (const one of held) {
      const answer = await client.answer(one.request, `"${one.interest.name}" in a batch`);
      if (answer !== undefined)
        this.#begin(client, one, answer, { kind: 'now', cursor: undefined }, await this.#shown());
    }
  }

  async #unsubscribe(client: Client<Fact>, which: number): Promise<void> {
    const { protocol } = this.#face;
    const subscription = client.open[which % Math.max(1, client.open.length)];
    if (subscription === undefined) return;
    for (const isThere of [true, false]) {
      this.#lastRequest += 1;
      const request = this.#lastRequest;
      const answer = await client.request(
        request,
        protocol.unsubscribe(request, subscription.interest, subscription.id),
      );
      if (answer === undefined) return;
      if (isThere) subscription.unsubscribed = { request, length: await this.#shown() };
      if ((answer.error === undefined && protocol.hasUnsubscribed(answer.result)) !== isThere)
        throw new BrokenPromise(
          'answered',
          `unsubscribing "${subscription.interest.name}" got ${JSON.stringify(answer)}`,
        );
    }
  }
}
