/** What the Ethereum websocket needs from the registry of its subscriptions. The actor implements it, node wires it. */
import type { EthereumPendingTransaction, LogCriteria } from '../../ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction, EthereumLog } from '../../ethereum/block-view.js';
import type { Height, Position } from '../../primitives.js';
import type { SubscriptionResult } from '../ports.js';

/** What a subscription is about. A range says which blocks count at all; undefined bounds are open. */
export type EthereumWants =
  | { readonly kind: 'newHeads'; readonly fromBlock: Height | undefined }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  | { readonly kind: 'newPendingTransactions'; readonly fullTransactions: boolean }
  | { readonly kind: 'syncing' };

/** `order` grows with creation over the whole node. */
export interface EthereumSubscription {
  readonly client: number;
  readonly order: number;
  readonly wants: EthereumWants;
}

export interface ShownBlock {
  readonly block: EthereumBlock;
  /** Cursor of the block; grows from block to block. */
  readonly position: Position;
}

export interface ShownPending {
  readonly transaction: EthereumPendingTransaction;
  /** Cursor of the admission; grows from admission to admission. */
  readonly position: Position;
}

export interface LogMatch {
  readonly log: EthereumLog;
  readonly transaction: EthereumBlockTransaction;
  readonly subscriptions: readonly EthereumSubscription[];
}

/** Who receives what of one commit: the head first, then the logs in block order; subscriptions by creation. */
export type EthereumMatches =
  | (ShownBlock & {
      readonly kind: 'block';
      readonly heads: readonly EthereumSubscription[];
      readonly logs: readonly LogMatch[];
    })
  | (ShownPending & { readonly kind: 'pending'; readonly subscriptions: readonly EthereumSubscription[] });

export interface EthereumRegistryClient {
  /** Registers a subscription that counts but receives nothing until `activate`. */
  subscribe(wants: EthereumWants): SubscriptionResult<EthereumSubscription>;
  /** From the next commit on the subscription receives events. False when it is gone. */
  activate(subscription: EthereumSubscription): boolean;
  /** False when it is gone already. */
  unsubscribe(subscription: EthereumSubscription): boolean;
  /** Removes all subscriptions of the client. Harmless when repeated. */
  disconnect(): void;
}

export interface EthereumRegistry {
  connect(): EthereumRegistryClient;
  /** Calls `listener` once per commit that somebody receives, in order of publication. */
  onMatches(listener: (matches: EthereumMatches) => void): () => void;
  /** Position of the last block that was shown; admissions have a mark of their own, for both are not shown in one order. */
  blocksShown(): Position;
  pendingShown(): Position;
}

/** What was shown before, in order, up to the head of the moment: the log behind a resumed subscription. */
export interface EthereumHistory {
  blocks(start: { readonly after: Position } | { readonly height: Height }): AsyncIterable<ShownBlock>;
  pending(start: { readonly after: Position }): AsyncIterable<ShownPending>;
}
