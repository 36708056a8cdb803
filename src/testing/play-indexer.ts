/** A user's client or indexer in one run: the model sees it as a connection with one subscription. */
import type { Action, IndexerCommand } from './commands.js';
import { checkConnection, type Frame, type Interest, type Subscription, type Wording } from './model.js';
import { interestNamed } from './names.js';
import type { Awaitable, IndexerUnderTest, Trial } from './target.js';
import { within } from './waiting.js';

const NAMES: Readonly<Record<IndexerCommand['do'], true>> = { cut: true, restore: true, stop: true, start: true };
const ID = 'indexer';
const REQUEST = 0;
const STARTED: Frame = { kind: 'answer', request: REQUEST, result: ID, error: undefined };
/** The indexer manages its own connections, so any end of them is accepted. */
const WORDING: Wording = { cutOff: { code: 0, reason: /^/u }, ended: undefined };

/** True for a command of an indexer. */
export function isIndexerCommand(command: Action): command is IndexerCommand {
  return command.do in NAMES;
}

export class IndexerPlayer<Fact> {
  #isCut = false;
  #isRunning = false;
  /** A `start` that is waiting for its connections to be restored. */
  #starting: Promise<void> | undefined;
  #subscription: Subscription<Fact> | undefined;

  constructor(
    private readonly interests: readonly Interest<Fact>[],
    private readonly trial: Trial<Fact, Action>,
  ) {}

  async play(command: IndexerCommand): Promise<void> {
    const { indexer, patienceMs } = this.trial;
    if (indexer === undefined || !this.#isSensible(command.do)) return;
    const { length: asked } = await this.trial.history();
    const done = indexer[command.do]();
    if (command.do === 'start' && this.#isCut) this.#starting = held(done);
    else await within(patienceMs, done, `"${command.do}" of the indexer`);
    if (command.do === 'cut' || command.do === 'restore') this.#isCut = command.do === 'cut';
    else this.#isRunning = command.do === 'start';
    if (command.do === 'start') this.#subscription ??= await this.#begun(indexer, asked);
    // A stop abandons a start that could not connect.
    if (command.do === 'stop') this.#starting = undefined;
    if (command.do === 'restore') await this.#started();
  }

  /** Awaits a start that was requested while the connections were cut. */
  async #started(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    if (starting !== undefined) await within(this.trial.patienceMs, starting, '"start" of the indexer');
  }

  async lacking(): Promise<string | undefined> {
    const { indexer, patienceMs } = this.trial;
    if (indexer === undefined || this.#subscription === undefined) return undefined;
    const seen = await within(patienceMs, indexer.seen(), '"seen" of the indexer');
    const history = await this.trial.history();
    const frames = seen.map((key): Frame => ({
      kind: 'event',
      subscription: ID,
      key,
      cursor: undefined,
      unexpected: [],
    }));
    return checkConnection(
      history,
      {
        client: 0,
        frames: [STARTED, ...frames],
        subscriptions: [this.#subscription],
        isReading: this.#isRunning && !this.#isCut,
        hasStalled: false,
        closed: undefined,
      },
      WORDING,
    );
  }

  /** Restores connections and starts the indexer, so that it can reach the end of the history. */
  async release(): Promise<void> {
    if (this.trial.indexer === undefined) return;
    await this.play({ do: 'restore' });
    await this.play({ do: 'start' });
  }

  /**
   * False for a command that is not possible now. The first start needs a connection, because the indexer's facts
   * begin then.
   */
  #isSensible(name: IndexerCommand['do']): boolean {
    switch (name) {
      case 'cut':
        return !this.#isCut;
      case 'restore':
        return this.#isCut;
      case 'stop':
        return this.#isRunning;
      case 'start':
        return !this.#isRunning && !(this.#isCut && this.#subscription === undefined);
    }
  }

  async #begun({ interest }: IndexerUnderTest, asked: number): Promise<Subscription<Fact>> {
    return {
      interest: interestNamed(this.interests, interest),
      request: REQUEST,
      id: ID,
      wantsCursors: false,
      begin: { facts: asked, place: -1 },
      asked,
      answered: (await this.trial.history()).length,
      unsubscribed: undefined,
    };
  }
}

/** Returns a promise to await later; its rejection is not reported as unhandled meanwhile. */
function held(done: Awaitable<void>): Promise<void> {
  const promise = Promise.resolve(done);
  promise.catch(() => undefined);
  return promise;
}
