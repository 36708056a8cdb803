/**
 * What a subscriber on the Ethereum websocket is promised (reliability-security.md 2.2), as plain lists. Blocks and
 * admissions are two lists in the order in which they were shown. A subscription is an interval of one of them, and what
 * must arrive is the matching part of the interval, in order.
 */
import type { EthereumLog } from '../../../../src/core/ethereum/block-view.js';
import type { SubscriptionRequest } from '../../../../src/adapters/eth-rpc/subscription-seam.js';

export interface ModelBlock {
  readonly height: bigint;
  readonly position: bigint;
  readonly logs: readonly EthereumLog[];
}

export interface ModelPending {
  readonly hash: string;
  readonly position: bigint;
}

/** A subscription as the node is asked for it and as a function from what is shown to what arrives. */
export interface ModelKind {
  readonly request: SubscriptionRequest;
  readonly ofBlock: (block: ModelBlock) => readonly string[];
  readonly ofPending: (pending: ModelPending) => readonly string[];
}

export interface ModelSubscription {
  readonly kind: ModelKind;
  /** Items of the list before this index are not delivered. */
  readonly begin: number;
  /** Logs of the block at `begin` that were seen before the cursor was taken. */
  readonly seenOfFirst: number;
  /** Items from this index on are not delivered; undefined while it is open. */
  end: number | undefined;
}

/** What must have arrived once the client has read everything. */
export function promised(
  blocks: readonly ModelBlock[],
  pending: readonly ModelPending[],
  { kind, begin, seenOfFirst, end }: ModelSubscription,
): readonly string[] {
  if (kind.request.kind === 'newPendingTransactions') return pending.slice(begin, end).flatMap(kind.ofPending);
  return blocks
    .slice(begin, end)
    .flatMap((block, index) =>
      index === 0 ? kind.ofBlock({ ...block, logs: block.logs.slice(seenOfFirst) }) : kind.ofBlock(block),
    );
}
