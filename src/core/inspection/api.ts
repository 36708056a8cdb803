/** Questions about the inside of a node: the methods `chronicle_*` of the Ethereum face, as a port. */
import type { Outcome } from '../errors.js';
import type { KnownContract, ToldContract } from '../verification/api.js';
import type { Recorded } from '../log-events.js';
import type { Height, Position, TimeNs } from '../primitives.js';
import type { ChangedRow } from '../state/state.js';
import type { DescribedChange } from './describe-row.js';

/** A moment of the chain: a block, or a position of the log, which means the last block that it holds. */
export type Moment =
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'position'; readonly position: bigint }
  | { readonly kind: 'latest' | 'earliest' };

export interface FoundMoment {
  readonly height: Height;
  /** Position of the event that holds the state of the height; undefined where the log no longer has it. */
  readonly position: Position | undefined;
}

export interface StateDiffRequest {
  readonly from: Moment;
  readonly to: Moment;
  /** Name of a store; every store without it. */
  readonly store: string | undefined;
  /** Changes at most. */
  readonly limit: number;
  /** `next` of an earlier page. */
  readonly cursor: Uint8Array | undefined;
}

/** A changed row by names, and as bytes. */
export type StateChange = DescribedChange & { readonly raw: ChangedRow };

export interface StateDiff {
  readonly from: FoundMoment;
  readonly to: FoundMoment;
  /** In order of stores and keys. */
  readonly changes: readonly StateChange[];
  /** Rows that the blocks in between wrote, by store; undefined where there are too many blocks to count them. */
  readonly written: ReadonlyMap<string, number> | undefined;
  /** Cursor of the next page; undefined after the last one. */
  readonly next: Uint8Array | undefined;
}

/** Rows that a transaction changed: its fee and nonces among them, the phases of its block not. */
export interface TransactionDiff {
  readonly height: Height;
  /** Its place in the block. */
  readonly index: number;
  readonly changes: readonly StateChange[];
  /** Rows that did not fit into the answer. */
  readonly more: number;
}

/** Events that are asked for; every condition that is given must hold. */
export interface LogFilter {
  readonly types: readonly string[] | undefined;
  readonly streams: readonly string[] | undefined;
  readonly height: Height | undefined;
  /** Hash of a transaction, of either kind: its admission, its drop, its block. */
  readonly tx: Uint8Array | undefined;
  readonly cause: string | undefined;
}

export interface LogEventsRequest extends LogFilter {
  /** Positions, both included; the ends of the log without them. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
  /** Members of the data in words, as bytes in hex, or none at all. */
  readonly data: 'decoded' | 'raw' | 'none';
  /** Milliseconds to wait where nothing was found up to the end of the log. */
  readonly waitMs: number;
}

/** An event of the log. */
export interface ShownEvent {
  readonly recorded: Recorded;
  /** It belongs to a block that was reverted (dev mode); undefined where the log around it is not known. */
  readonly isAbandoned: boolean | undefined;
  /** Height of its block, where it is of one. */
  readonly height: Height | undefined;
  /** In one line. */
  readonly line: string;
  /** JSON text of the data; undefined where it is not asked for, or too long. */
  readonly data: string | undefined;
}

export interface LogPage {
  readonly events: readonly ShownEvent[];
  /** Position at which the next page begins: `from` of the next request, or `to` of a descending one. */
  readonly next: bigint | undefined;
  /** Position of the newest event. */
  readonly head: Position;
}

/** The events of records that are asked for. */
export type ReadRecordsRequest = LogFilter & Pick<LogEventsRequest, 'data'>;

/** Records in lines of `log export`, which may be of another chain. */
export interface ReadRecords {
  /** Events of each line that was read, as far as they are asked for. */
  readonly records: readonly (readonly ShownEvent[])[];
  /** The line, counted from 1, that is no record or does not follow the one before, and why. */
  readonly problem: { readonly line: number; readonly reason: string } | undefined;
}

/** One actor of the node. */
export interface ActorFacts {
  readonly id: string;
  /** State of its chart, such as `serving`. */
  readonly mode: string;
  /** Commands that wait for it. */
  readonly inbox: number;
  /** Times that it was made again after a failure. */
  readonly restarts: number;
}

/** The wiring of the node as data. */
export interface ActorsView {
  readonly mode: string;
  readonly actors: readonly ActorFacts[];
  /** Streams of the log, with the number of their events. */
  readonly streams: readonly { readonly name: string; readonly events: bigint }[];
  /** Hearers of streams derived from the log, in the order in which a record is shown to them. */
  readonly hearers: readonly { readonly hearer: string; readonly phase: string; readonly hears: readonly string[] }[];
  readonly signals: readonly { readonly signal: string; readonly says: string; readonly hears: string }[];
}

/** A subscription of a websocket. */
export interface SubscriptionFacts {
  readonly id: string;
  readonly face: string;
  /** Number of its connection, counted from the start of the node. */
  readonly client: string;
  readonly kind: string;
  /** The criteria as text: the query, or JSON. */
  readonly criteria: string;
  readonly state: string;
  /** Position of the newest item that it was given; undefined before the first one. */
  readonly cursor: Position | undefined;
  readonly delivered: number;
  /** Items that wait for its client. */
  readonly lag: number;
  /** Bytes that wait for its client, of all its subscriptions. */
  readonly bytesWaiting: number;
}

/** A polling filter of the Ethereum face. */
export interface FilterFacts {
  readonly id: string;
  readonly client: string | undefined;
  readonly kind: string;
  readonly criteria: string;
  readonly height: Height;
  readonly cursor: Position;
  /** Blocks, or positions of the log for a filter of transactions, that its client has not asked for yet. */
  readonly lag: bigint;
  /** It expires at this time unless it is polled. */
  readonly deadline: TimeNs;
}

export interface SubscriptionsView {
  /** The first ones; `counts` has the number of all. */
  readonly subscriptions: readonly SubscriptionFacts[];
  readonly filters: readonly FilterFacts[];
  readonly counts: { readonly subscriptions: number; readonly filters: number };
  /** Newest first. */
  readonly ended: readonly (SubscriptionFacts & { readonly reason: string })[];
}

/** An event that a query matches, with the values of the keys that it names. */
export interface MatchedEvent {
  readonly height: Height;
  /** Type of `tm.event`. */
  readonly type: string;
  /** Hash of the transaction, in upper-case hex. */
  readonly txHash: string | undefined;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export interface QueryMatches {
  /** The query in its normal form. */
  readonly query: string;
  /** Blocks that were compared, both included. */
  readonly from: Height;
  readonly to: Height;
  /** Events that were compared. */
  readonly examined: number;
  /** Events that match; `matches` has the first ones. */
  readonly total: number;
  readonly matches: readonly MatchedEvent[];
}

/** A rehearsal of an upgrade over the state after the last block. */
export type UpgradeRehearsal =
  | {
      readonly works: true;
      /** The block of the upgrade. */
      readonly height: string;
      readonly versions: readonly {
        readonly name: string;
        readonly before: string | null;
        readonly after: string | null;
      }[];
      /** Changed rows in lines: `dev: unsigned transactions none -> present`. */
      readonly changes: readonly string[];
    }
  | { readonly works: false; readonly height: string; readonly step: string; readonly reason: string };

export interface InspectionApi {
  /**
   * Rows of the state that differ between two moments. `state-pruned` and `height-in-future` name the height;
   * `invalid-params` for a position whose block was reverted, no name of a store, no cursor.
   */
  stateDiff(request: StateDiffRequest): Promise<Outcome<StateDiff>>;
  /**
   * At most `limit` rows that a transaction changed (its hash, of either kind), by executing its block again up to it;
   * undefined where no block has it. `state-pruned` where the state before its block is gone.
   */
  transactionDiff(hash: Uint8Array, limit: number): Promise<Outcome<TransactionDiff | undefined>>;
  /** Events of the log. `invalid-params` for positions that are not in the log, `busy` where too many requests wait. */
  logEvents(request: LogEventsRequest): Promise<Outcome<LogPage>>;
  /** Decodes records of lines; those after the first ones are left out where their events become too long. */
  readRecords(lines: readonly string[], request: ReadRecordsRequest): Promise<ReadRecords>;
  actors(): ActorsView;
  /** The contract at an address (20 bytes) while its code is the same: verified, compiled beside the node, or told. */
  contract(address: Uint8Array): Promise<KnownContract | undefined>;
  /** Keeps the contract that a developer tells, or forgets it. Refuses an address without code, and too many. */
  tellContract(address: Uint8Array, contract: ToldContract | undefined): Promise<Outcome<undefined>>;
  /** Subscriptions of every push face, and polling filters. */
  subscriptions(): SubscriptionsView;
  /** Events of the last blocks that a query of the consensus face would have matched; `bad-query` for no query. */
  matchQuery(query: string, blocks: number): Promise<Outcome<QueryMatches>>;
  /** Ends a subscription, or removes a filter; false for an id that is not there. */
  cutSubscription(id: string): Promise<Outcome<boolean>>;
  /**
   * Holds back what the connection of a subscription receives, as if its client did not read, or goes on with it; false
   * for an id that is not there.
   */
  stallSubscription(id: string, isStalled: boolean): boolean;
  /**
   * Rehearses an upgrade by its name on a copy of the state; the chain goes on meanwhile. `invalid-params` with the
   * words of the command for an unknown name, `busy` while another one runs.
   */
  rehearseUpgrade(name: string): Promise<Outcome<UpgradeRehearsal>>;
}
