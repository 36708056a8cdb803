/** Criteria of websocket subscriptions. */
import type { LogCriteria } from '../ethereum/api.js';
import type { Height } from '../primitives.js';
import type { Query } from '../query/index.js';

/**
 * The two kinds of inputs that subscriptions follow. Positions increase within each kind only: a commit may be
 * published after an admission with a higher position.
 */
export type InputKind = 'commits' | 'admissions';

export const INPUT_KINDS = ['commits', 'admissions'] as const satisfies readonly InputKind[];

/** Criteria by kind. Bounds of a block range are optional. */
export type Criteria =
  /** Events of the consensus websocket. */
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'newHeads'; readonly fromBlock: Height | undefined }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  | { readonly kind: 'newPendingTransactions'; readonly fullTransactions: boolean }
  /**
   * Receipts of each block in one notification: of these transactions (hex hashes), or of all when the set is empty.
   */
  | { readonly kind: 'transactionReceipts'; readonly hashes: ReadonlySet<string> }
  /** Accepted but never notified, because this node is never behind the blocks it knows. */
  | { readonly kind: 'syncing' };

export type QueryCriteria = Extract<Criteria, { readonly kind: 'query' }>;
export type HeadCriteria = Extract<Criteria, { readonly kind: 'newHeads' }>;
export type LogsCriteria = Extract<Criteria, { readonly kind: 'logs' }>;
export type ReceiptsCriteria = Extract<Criteria, { readonly kind: 'transactionReceipts' }>;
export type PendingCriteria = Extract<Criteria, { readonly kind: 'newPendingTransactions' }>;

/** Inputs of a subscription: admissions for pending transactions, commits for all others. */
export function inputKindOf({ kind }: Criteria): InputKind {
  return kind === 'newPendingTransactions' ? 'admissions' : 'commits';
}

/**
 * One subscription of one client. `order` increases with creation across the whole node, both faces and restarts of
 * the registry.
 */
export interface Subscription<Kind extends Criteria = Criteria> {
  readonly client: Client;
  readonly order: number;
  readonly criteria: Kind;
}

/** Faces with push notifications; each has its own limits. */
export type PushFace = 'consensus' | 'ethereum';

/** One websocket connection, compared by identity. */
export interface Client {
  readonly face: PushFace;
}
