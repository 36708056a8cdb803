/** Questions about the inside of a node: the methods `chronicle_*` of the Ethereum face, as a port. */
import type { Outcome } from '../errors.js';
import type { Height, Position } from '../primitives.js';
import type { ChangedRow, DescribedChange } from './describe-row.js';

/** A moment of the chain: a block, or a position of the log, which means the last block that it holds. */
export type Moment =
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'position'; readonly position: bigint }
  | { readonly kind: 'latest' | 'earliest' };

/** A moment that was found. */
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

export interface InspectionApi {
  /**
   * Rows of the state that differ between two moments. `state-pruned` and `height-in-future` name the height;
   * `invalid-params` for a position whose block was reverted.
   */
  stateDiff(request: StateDiffRequest): Promise<Outcome<StateDiff>>;
}
