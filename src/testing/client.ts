/** One connection of a run: sends requests and records received frames in order. */
import type { Connection, Frame, Subscription } from './model.js';
import { BrokenPromise } from './model.js';
import type { PushFace, Trial, Wire } from './target.js';
import { within, type Changes } from './waiting.js';
import type { Action } from './commands.js';

export type Answer = Extract<Frame, { readonly kind: 'answer' }>;

/** Most characters of an unreadable message that a report shows. */
const SHOWN = 200;

export class Client<Fact> implements Connection<Fact> {
  readonly frames: Frame[] = [];
  readonly subscriptions: Subscription<Fact>[] = [];
  isReading = true;
  hasStalled = false;
  closed: Connection<Fact>['closed'];
  #wire!: Wire;

  private constructor(
    readonly client: number,
    private readonly trial: Trial<Fact, Action>,
    private readonly changes: Changes,
  ) {}

  static async connect<Fact>(
    client: number,
    trial: Trial<Fact, Action>,
    face: PushFace<Fact>,
    changes: Changes,
  ): Promise<Client<Fact>> {
    const self = new Client<Fact>(client, trial, changes);
    self.#wire = await within(
      trial.patienceMs,
      face.connect({
        onText(text) {
          self.frames.push(...face.protocol.read(text));
          changes.announce();
        },
        onClosed(by, code, reason) {
          self.closed ??= { by, code, reason };
          changes.announce();
        },
      }),
      'a connection',
    );
    return self;
  }

  /** Open subscriptions. */
  get open(): readonly Subscription<Fact>[] {
    return this.closed !== undefined ? [] : this.subscriptions.filter(({ unsubscribed }) => unsubscribed === undefined);
  }

  /** A copy of the connection with everything that was read so far. */
  snapshot(): Connection<Fact> {
    const { client, frames, subscriptions, isReading, hasStalled, closed } = this;
    return { client, frames: [...frames], subscriptions: [...subscriptions], isReading, hasStalled, closed };
  }

  /** Sends a request and waits for its answer; undefined when the connection ends first. */
  async request(request: number, text: string): Promise<Answer | undefined> {
    this.#wire.send(text);
    return await this.answer(request, text);
  }

  /** Waits for the answer of a request that was sent. */
  async answer(request: number, text: string): Promise<Answer | undefined> {
    const find = (): Answer | undefined =>
      this.frames.find((frame): frame is Answer => frame.kind === 'answer' && frame.request === request);
    const isOver = (): boolean => find() !== undefined || this.closed !== undefined;
    if (!isOver()) await this.trial.settle();
    const isInTime = await this.changes.until(isOver, this.trial.patienceMs);
    const unreadable = this.frames.find((frame) => frame.kind === 'unreadable');
    if (!isInTime && unreadable !== undefined) throw new BrokenPromise('readable', unreadable.text.slice(0, SHOWN));
    if (!isInTime) throw new BrokenPromise('answered', `no answer to ${text}`);
    return find();
  }

  send(text: string): void {
    this.#wire.send(text);
  }

  answerHeld(): void {
    this.#wire.answerHeld?.();
  }

  stall(): void {
    this.isReading = false;
    this.hasStalled = true;
    this.#wire.pause();
  }

  release(): void {
    this.isReading = true;
    this.#wire.resume();
  }

  close(): void {
    if (this.closed !== undefined) return;
    this.closed = { by: 'client', code: 1000, reason: '' };
    this.#wire.close();
  }

  /** The cursor after the last event of a subscription that was read. */
  lastCursor(id: string): string | undefined {
    const last = this.frames.findLast((frame) => frame.kind === 'event' && frame.subscription === id);
    return last?.kind === 'event' ? last.cursor : undefined;
  }
}
