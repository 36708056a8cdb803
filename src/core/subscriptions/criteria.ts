/** The criteria of a subscription of a push face. */
import type { LogCriteria } from '../ethereum/api.js';
import type { Height } from '../primitives.js';
import type { Query } from '../query/index.js';

/**
 * The two streams that subscriptions follow. Each has positions of its own that only grow: a commit may be shown after
 * an admission with a higher position.
 */
export type Lane = 'commits' | 'admissions';

export const LANES = ['commits', 'admissions'] as const satisfies readonly Lane[];

/** Criteria of each kind. A range of blocks says which blocks count; an undefined bound is open. */
export type Criteria =
  /** Events of the consensus websocket. */
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'newHeads'; readonly fromBlock: Height | undefined }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  | { readonly kind: 'newPendingTransactions'; readonly fullTransactions: boolean }
  /** The receipts of each block, together; of these transactions (hashes in hex), or of all when the set is empty. */
  | { readonly kind: 'transactionReceipts'; readonly hashes: ReadonlySet<string> }
  /** Counts as a subscription and receives nothing: this node always has the newest block that it knows. */
  | { readonly kind: 'syncing' };

export type QueryCriteria = Extract<Criteria, { readonly kind: 'query' }>;
export type HeadCriteria = Extract<Criteria, { readonly kind: 'newHeads' }>;
export type LogsCriteria = Extract<Criteria, { readonly kind: 'logs' }>;
export type ReceiptsCriteria = Extract<Criteria, { readonly kind: 'transactionReceipts' }>;
export type PendingCriteria = Extract<Criteria, { readonly kind: 'newPendingTransactions' }>;

/** Finds the stream that a subscription follows: admissions for pending transactions, commits for all others. */
export function laneOf({ kind }: Criteria): Lane {
  return kind === 'newPendingTransactions' ? 'admissions' : 'commits';
}

/**
 * One subscription of one client. `order` grows with creation over the whole node, across faces and restarts of the
 * registry.
 */
export interface Subscription<Kind extends Criteria = Criteria> {
  readonly client: Client;
  readonly order: number;
  readonly criteria: Kind;
}

/** The faces that push. They have limits of their own. */
export type PushFace = 'consensus' | 'ethereum';

/** One connection of a push face, compared by identity. */
export interface Client {
  readonly face: PushFace;
}
