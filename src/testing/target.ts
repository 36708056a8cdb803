/** The target of the model: a chain that changes, and ways to listen to it. */
import type { Arbitrary } from 'fast-check';
import type { Abilities, Deed } from './commands.js';
import type { Frame, History, Interest, Point, Wording } from './model.js';

export type Awaitable<Value> = Value | Promise<Value>;

/** A target that can be tested many times. */
export interface Target<Fact, Own extends Deed> {
  /** TypeScript expression that makes this target, for scripts. */
  readonly source: string;
  readonly interests: readonly Interest<Fact>[];
  /** Possible actions on the chain. Their `do` differs from the model's own commands. */
  readonly deeds: Arbitrary<Own>;
  readonly abilities: Abilities;
  /** Begins a run, with an empty history. */
  begin(): Awaitable<Trial<Fact, Own>>;
  /** Releases resources that the runs share. */
  stop?(): Awaitable<void>;
}

/** One run of a target. */
export interface Trial<Fact, Own extends Deed> {
  /** The facts that the chain has shown since the run began, in log order; grows. */
  history(): Awaitable<History<Fact>>;
  /** Performs an action, and resolves when the chain has shown its effects. */
  perform(deed: Own): Awaitable<void>;
  /** Waits until the target is idle, as far as the target controls that. */
  settle(): Awaitable<void>;
  /** Time that the target may take for an answer or a notification; 0: it has none to wait for after `settle`. */
  readonly patienceMs: number;
  readonly push?: PushFace<Fact>;
  readonly filters?: FilterFace;
  readonly indexer?: IndexerUnderTest;
  /** Ends the run. Throws BrokenPromise when the server keeps data of connections that ended. */
  end(): Awaitable<void>;
}

/** A push face: its connections and its messages. */
export interface PushFace<Fact> {
  readonly protocol: Protocol<Fact>;
  connect(listener: WireListener): Awaitable<Wire>;
  /** A cursor that is refused because the history after it is gone. */
  readonly goneCursor?: string;
  /**
   * The cursor at a place of the history that `choice` picks, for targets that know their cursors. Subscriptions resume
   * after these and after cursors that notifications carried.
   */
  cursorAt?(interest: Interest<Fact>, choice: number): { readonly cursor: string; readonly begin: Point };
  /** A subscription begins with its request, not at some moment before its response. */
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
  /** Text of a request. A cursor of `true` asks for cursors from now on. */
  subscribe(request: number, interest: Interest<Fact>, cursor: string | true | undefined): string;
  /** Subscribes as part of a batch whose answer is held back. */
  subscribeHeld?(request: number, interest: Interest<Fact>): string;
  unsubscribe(request: number, interest: Interest<Fact>, id: string): string;
  /** The id under which notifications come, from the response; undefined when the result is not such a response. */
  idOf(request: number, result: unknown): string | undefined;
  /** True for the result of an unsubscribe request that ended a subscription. */
  hasUnsubscribed(result: unknown): boolean;
  /** One connection takes each interest once only. */
  readonly isOncePerConnection: boolean;
  /** The server knows cursors: subscribers may ask for them and resume after them. */
  readonly asksForCursors?: boolean;
  /** A cursor that no log has reached. */
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
  /** Keys of everything up to now, over as many requests as the server's bounds need. */
  poll(id: string): Promise<readonly string[] | undefined>;
  /** A poll that the server answers as busy; false when the filter does not exist. */
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
  /** Keys of everything that it has seen, in its order. */
  seen(): Awaitable<readonly string[]>;
}
