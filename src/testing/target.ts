/** A target under test: a chain, actions on it, and the interfaces that publish its events. */
import type { Arbitrary } from 'fast-check';
import type { Abilities, Action } from './commands.js';
import type { Frame, History, Interest, Point, Wording } from './model.js';

export type Awaitable<Value> = Value | Promise<Value>;

/** A target that can be tested many times. */
export interface Target<Fact, Own extends Action> {
  /** TypeScript expression that makes this target, for scripts. */
  readonly source: string;
  readonly interests: readonly Interest<Fact>[];
  /** Possible actions on the chain. Their `do` differs from the model's own commands. */
  readonly actions: Arbitrary<Own>;
  readonly abilities: Abilities;
  /** Begins a run, with an empty history. */
  begin(): Awaitable<Trial<Fact, Own>>;
  /** Releases resources that the runs share. */
  stop?(): Awaitable<void>;
}

/** One run of a target. */
export interface Trial<Fact, Own extends Action> {
  /** The facts that the chain has published since the run began, in log order; it only grows. */
  history(): Awaitable<History<Fact>>;
  /** Performs an action; resolves when the chain has published its effects. */
  perform(action: Own): Awaitable<void>;
  /** Waits until the target is idle, as far as the target controls that. */
  settle(): Awaitable<void>;
  /** Longest wait for an answer or a notification, in milliseconds; 0: nothing arrives after `settle`. */
  readonly patienceMs: number;
  readonly push?: PushFace<Fact>;
  readonly filters?: FilterFace;
  readonly indexer?: IndexerUnderTest;
  /** Ends the run. Throws BrokenPromise if the server still holds data of closed connections. */
  end(): Awaitable<void>;
}

/** A push face: its connections and its messages. */
export interface PushFace<Fact> {
  readonly protocol: Protocol<Fact>;
  connect(listener: WireListener): Awaitable<Wire>;
  /** A cursor that is refused because the history after it is gone. */
  readonly goneCursor?: string;
  /**
   * For targets that can compute cursors: the cursor at a place of the history, picked by `choice`. Subscriptions
   * also resume after cursors that notifications carried.
   */
  cursorAt?(interest: Interest<Fact>, choice: number): { readonly cursor: string; readonly begin: Point };
  /** True if a subscription begins exactly at its request, not at some time before its response. */
  readonly beginsWhenAsked?: boolean;
}

/** A websocket as its client sees it; texts are whole messages. */
export interface Wire {
  send(text: string): void;
  /** Stops reading, and reads again. */
  pause(): void;
  resume(): void;
  close(): void;
  /** Releases answers that are held back. */
  answerHeld?(): void;
}
export interface WireListener {
  onText(text: string): void;
  /** `restart`: the run ended the server. */
  onClosed(by: 'server' | 'restart', code: number, reason: string): void;
}

/** The messages of a push face. */
export interface Protocol<Fact> {
  readonly wording: Wording;
  /** Text of a subscribe request. The cursor `true` requests cursors from now on. */
  subscribe(request: number, interest: Interest<Fact>, cursor: string | true | undefined): string;
  /** Subscribes as part of a batch whose answer is held back. */
  subscribeHeld?(request: number, interest: Interest<Fact>): string;
  unsubscribe(request: number, interest: Interest<Fact>, id: string): string;
  /** The subscription id in a subscribe response; undefined when the result is not such a response. */
  idOf(request: number, result: unknown): string | undefined;
  /** True for the result of an unsubscribe request that ended a subscription. */
  hasUnsubscribed(result: unknown): boolean;
  /** A connection can subscribe to each interest only once. */
  readonly isOncePerConnection: boolean;
  /** The server knows cursors: subscribers may ask for them and resume after them. */
  readonly asksForCursors?: boolean;
  /** A cursor at a position that no log has reached. */
  readonly futureCursor: string;
  /** The frames of a message. */
  read(text: string): readonly Frame[];
}

/** Polling filters. All reject when the server refuses; `undefined` and `false` mean that the filter does not exist. */
export interface FilterFace {
  /** Milliseconds after which an unused filter expires. */
  readonly idleMs: number;
  /** Clock of the filters, milliseconds. */
  now(): number;
  pass?(milliseconds: number): Awaitable<void>;
  install(interest: string): Promise<string>;
  /** Keys of all items up to now, read with as many requests as the server's limits require. */
  poll(id: string): Promise<readonly string[] | undefined>;
  /** A poll that the server rejects as busy; false when the filter does not exist. */
  pollBusy?(id: string): Promise<boolean>;
  /** A request that names the filter and moves no cursor. */
  inspect(id: string): Promise<boolean>;
  uninstall(id: string): Promise<boolean>;
}

/** A user's client or indexer, whose connections the run can cut. */
export interface IndexerUnderTest {
  readonly interest: string;
  start(): Awaitable<void>;
  stop(): Awaitable<void>;
  cut(): Awaitable<void>;
  restore(): Awaitable<void>;
  /** Keys of all items that the indexer has seen, in its order. */
  seen(): Awaitable<readonly string[]>;
}
