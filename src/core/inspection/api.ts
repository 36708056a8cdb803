/** Port for inspecting a node: the methods `chronicle_*` of Ethereum JSON-RPC. */
import type { Outcome } from '../errors.js';
import type { KnownContract, SuppliedContract } from '../verification/api.js';
import type { Recorded } from '../log-events.js';
import type { Height, Position, TimeNs } from '../primitives.js';
import type { ChangedRow } from '../state/state.js';
import type { DescribedChange } from './describe-row.js';

/** A point in the chain's history: a block, or a log position, which means the last block up to it. */
export type Moment =
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'position'; readonly position: bigint }
  | { readonly kind: 'latest' | 'earliest' };

export interface FoundMoment {
  readonly height: Height;
  /** Log position of the event with the state of the height; undefined when the log no longer has it. */
  readonly position: Position | undefined;
}

export interface StateDiffRequest {
  readonly from: Moment;
  readonly to: Moment;
  /** Store name; undefined: all stores. */
  readonly store: string | undefined;
  /** Maximum number of changes. */
  readonly limit: number;
  /** `next` of an earlier page. */
  readonly cursor: Uint8Array | undefined;
}

/** A changed row, described and as bytes. */
export type StateChange = DescribedChange & { readonly raw: ChangedRow };

export interface StateDiff {
  readonly from: FoundMoment;
  readonly to: FoundMoment;
  /** Changes ordered by store and key. */
  readonly changes: readonly StateChange[];
  /** Number of rows that the blocks in between wrote, by store; undefined when there are too many blocks to count. */
  readonly written: ReadonlyMap<string, number> | undefined;
  /** Cursor of the next page; undefined after the last one. */
  readonly next: Uint8Array | undefined;
}

/** Rows that a transaction changed: fee and nonces included, begin and end block excluded. */
export interface TransactionDiff {
  readonly height: Height;
  /** Index of the transaction in its block. */
  readonly index: number;
  readonly changes: readonly StateChange[];
  /** Number of rows beyond the limit. */
  readonly more: number;
}

/** Selects log events; all given conditions must hold. */
export interface LogFilter {
  readonly types: readonly string[] | undefined;
  readonly streams: readonly string[] | undefined;
  readonly height: Height | undefined;
  /** Transaction hash of either kind: selects its admission, its drop, and its block. */
  readonly tx: Uint8Array | undefined;
  readonly cause: string | undefined;
}

export interface LogEventsRequest extends LogFilter {
  /** First and last position, inclusive; undefined: the ends of the log. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
  /** Event data as decoded fields, as hex bytes, or not at all. */
  readonly data: 'decoded' | 'raw' | 'none';
  /** Milliseconds to wait for events when none was found up to the end of the log. */
  readonly waitMs: number;
}

/** An event of the log. */
export interface ShownEvent {
  readonly recorded: Recorded;
  /** True when its block was reverted (dev mode); undefined when the surrounding log is unknown. */
  readonly isAbandoned: boolean | undefined;
  /** Height of its block, if it has one. */
  readonly height: Height | undefined;
  /** Description in one line. */
  readonly line: string;
  /** Event data as JSON text; undefined when not requested or too long. */
  readonly data: string | undefined;
}

export interface LogPage {
  readonly events: readonly ShownEvent[];
  /** Start of the next page: `from` of the next request, or `to` of a descending one. */
  readonly next: bigint | undefined;
  /** Position of the newest event. */
  readonly head: Position;
}

/** Selects events of records. */
export type ReadRecordsRequest = LogFilter & Pick<LogEventsRequest, 'data'>;

/** Events decoded from lines of `log export`, which may be another chain's. */
export interface ReadRecords {
  /** Selected events of each line that was read. */
  readonly records: readonly (readonly ShownEvent[])[];
  /** First line (from 1) that is not a record or does not follow its predecessor, with the reason. */
  readonly problem: { readonly line: number; readonly reason: string } | undefined;
}

/** One actor of the node. */
export interface ActorFacts {
  readonly id: string;
  /** State of its statechart, such as `serving`. */
  readonly mode: string;
  /** Number of waiting commands. */
  readonly inbox: number;
  /** Number of restarts after a failure. */
  readonly restarts: number;
}

/** Wiring of the node as data. */
export interface ActorsView {
  readonly mode: string;
  readonly actors: readonly ActorFacts[];
  /** Log streams with their numbers of events. */
  readonly streams: readonly { readonly name: string; readonly events: bigint }[];
  /** Subscribers of derived streams, in the order in which they receive a record. */
  readonly consumers: readonly {
    readonly consumer: string;
    readonly phase: string;
    readonly hears: readonly string[];
  }[];
  readonly signals: readonly { readonly signal: string; readonly says: string; readonly hears: string }[];
}

/** A websocket subscription. */
export interface SubscriptionFacts {
  readonly id: string;
  readonly face: string;
  /** Connection number, counted from the start of the node. */
  readonly client: string;
  readonly kind: string;
  /** Criteria as text: the query, or JSON. */
  readonly criteria: string;
  readonly state: string;
  /** Position of the newest delivered item; undefined before the first one. */
  readonly cursor: Position | undefined;
  readonly delivered: number;
  /** Number of items that wait for its client. */
  readonly lag: number;
  /** Number of bytes that wait for its client, over all its subscriptions. */
  readonly bytesWaiting: number;
}

/** A polling filter of Ethereum JSON-RPC. */
export interface FilterFacts {
  readonly id: string;
  readonly client: string | undefined;
  readonly kind: string;
  readonly criteria: string;
  readonly height: Height;
  readonly cursor: Position;
  /** Number of blocks (log positions for a transaction filter) since its last poll. */
  readonly lag: bigint;
  /** Expiry time, unless the filter is polled before. */
  readonly deadline: TimeNs;
}

export interface SubscriptionsView {
  /** First subscriptions; `counts` has the total number. */
  readonly subscriptions: readonly SubscriptionFacts[];
  readonly filters: readonly FilterFacts[];
  readonly counts: { readonly subscriptions: number; readonly filters: number };
  /** Ended subscriptions, newest first. */
  readonly ended: readonly (SubscriptionFacts & { readonly reason: string })[];
}

/** An event that matches a query, with the values of the query's keys. */
export interface MatchedEvent {
  readonly height: Height;
  /** Event type from `tm.event`. */
  readonly type: string;
  /** Transaction hash in upper-case hex. */
  readonly txHash: string | undefined;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export interface QueryMatches {
  /** Normal form of the query. */
  readonly query: string;
  /** First and last compared block, inclusive. */
  readonly from: Height;
  readonly to: Height;
  /** Number of compared events. */
  readonly examined: number;
  /** Number of matching events; `matches` contains the first ones. */
  readonly total: number;
  readonly matches: readonly MatchedEvent[];
}

/** Result of rehearsing an upgrade on the state after the last block. */
export type UpgradeRehearsal =
  | {
      readonly works: true;
      /** Height of the upgrade block. */
      readonly height: string;
      readonly versions: readonly {
        readonly name: string;
        readonly before: string | null;
        readonly after: string | null;
      }[];
      /** Changed rows as lines: `dev: unsigned transactions none -> present`. */
      readonly changes: readonly string[];
    }
  | { readonly works: false; readonly height: string; readonly step: string; readonly reason: string };

export interface InspectionApi {
  /**
   * Rows of the state that differ between two points. Errors: `state-pruned` and `height-in-future` with the height;
   * `invalid-params` for a position whose block was reverted, an unknown store, or an invalid cursor.
   */
  stateDiff(request: StateDiffRequest): Promise<Outcome<StateDiff>>;
  /**
   * Up to `limit` rows that a transaction (hash of either kind) changed, by re-executing its block up to it.
   * Undefined when no block has it; `state-pruned` when the state before its block is gone.
   */
  transactionDiff(hash: Uint8Array, limit: number): Promise<Outcome<TransactionDiff | undefined>>;
  /**
   * Selects events of the log. `invalid-params` for positions outside of the log, `busy` when too many requests wait.
   */
  logEvents(request: LogEventsRequest): Promise<Outcome<LogPage>>;
  /** Decodes records from lines; stops when their events become too long. */
  readRecords(lines: readonly string[], request: ReadRecordsRequest): Promise<ReadRecords>;
  actors(): ActorsView;
  /**
   * Contract at an address (20 bytes) while its code is unchanged: verified, compiled next to the node, or registered
   * by a developer.
   */
  contract(address: Uint8Array): Promise<KnownContract | undefined>;
  /**
   * Registers a developer's description of a contract, or removes it (undefined). Refuses addresses without code, and
   * too many.
   */
  supplyContract(address: Uint8Array, contract: SuppliedContract | undefined): Promise<Outcome<undefined>>;
  /** Subscriptions of both push faces, and polling filters. */
  subscriptions(): SubscriptionsView;
  /** Events of the last blocks that a CometBFT query would have matched; `bad-query` for an invalid query. */
  matchQuery(query: string, blocks: number): Promise<Outcome<QueryMatches>>;
  /** Ends a subscription or removes a filter; false for an unknown id. */
  cutSubscription(id: string): Promise<Outcome<boolean>>;
  /**
   * Stalls the connection of a subscription as if its client did not read, or resumes it; false for an unknown id.
   */
  stallSubscription(id: string, isStalled: boolean): boolean;
  /**
   * Rehearses an upgrade by name on a copy of the state while the chain runs. `invalid-params` with the command's
   * text for an unknown name, `busy` while another rehearsal runs.
   */
  rehearseUpgrade(name: string): Promise<Outcome<UpgradeRehearsal>>;
}
