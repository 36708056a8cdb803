import type { Outcome } from '../errors.js';
import type { Height, Position } from '../primitives.js';

export interface LogCriteria {
  readonly fromBlock: Height | undefined;
  readonly toBlock: Height | undefined;
  readonly addresses: readonly Uint8Array[];
  /** Alternatives at each position; an empty list matches everything. */
  readonly topics: readonly (readonly Uint8Array[])[];
}

export type FilterCriteria =
  | { readonly kind: 'block' }
  /** Collects transaction hashes, or full transactions. */
  | { readonly kind: 'pending'; readonly fullTransactions?: true }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria };

/**
 * Polling filters. A filter consists of criteria, a cursor and a deadline, and stores no events; it survives
 * restarts.
 */
export interface EthereumFilters {
  /**
   * Creates a filter; resolves with 32 lower-case hex digits without 0x, or an error at a limit. The limit per client
   * applies to `client` (a websocket, an address); without it only the node's limit applies.
   */
  create(criteria: FilterCriteria, client?: string): Promise<Outcome<string>>;
  /**
   * Returns the result of `read` on the changes since the last poll; undefined for an unknown or expired filter. The
   * cursor moves only when `read` succeeds: after a failure the next poll covers the same range. Polls of one filter
   * run one after another. `through` (log filters): last block of the result when `read` stopped early.
   */
  poll<Value>(
    id: string,
    read: (changes: FilterChanges) => Promise<Outcome<Polled<Value>>>,
  ): Promise<Outcome<Value | undefined>>;
  /**
   * Criteria for `eth_getFilterLogs`; undefined for an unknown or expired filter. Renews the deadline, but does not
   * move the cursor.
   */
  criteria(id: string): FilterCriteria | undefined;
  uninstall(id: string): Promise<Outcome<boolean>>;
}

export interface Polled<Value> {
  readonly value: Value;
  readonly through?: Height;
}

/**
 * Changes from the cursor (exclusive) to the head: blocks to read for hashes or logs, or hashes of pending
 * transactions. For logs, `from` exceeds `to` when there is no block to read.
 */
export type FilterChanges =
  | { readonly kind: 'blocks'; readonly heights: readonly Height[] }
  | {
      readonly kind: 'logs';
      readonly criteria: LogCriteria;
      readonly from: Height;
      readonly to: Height;
      /** Last block of earlier answers, when some of the answered blocks were reverted since (dev mode). */
      readonly answered?: { readonly position: Position; readonly height: Height };
    }
  | { readonly kind: 'pending'; readonly hashes: readonly Uint8Array[]; readonly fullTransactions?: true };
