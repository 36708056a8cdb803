import type { BlockContext, FinalizeBlockRequest } from '../../core/application-requests.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { EthereumBlocks } from './blocks.js';
import type { PendingBlock, PendingBlocks } from './pending-blocks.js';

export interface ExecutedBlocksOptions {
  readonly ledger: Ledger;
  readonly blocks: Pick<EthereumBlocks, 'block'>;
  readonly crypto: Crypto;
  /** Undefined outside of dev mode. */
  readonly pending: PendingBlocks | undefined;
}

/** Blocks as calls and traces need them, including the pending block. */
export interface ExecutedBlocks {
  /** The pending block if it has this height. */
  readonly pendingAt: (height: Height) => PendingBlock | undefined;
  readonly contextAt: (height: Height) => BlockContext;
  /** The FinalizeBlock request of a block, and the height of the state before it. */
  readonly executedBlock: (
    height: Height,
  ) => { readonly request: FinalizeBlockRequest; readonly before: Height } | undefined;
  /** Height and index of a transaction, by its hash. */
  readonly placeOf: (hash: Uint8Array) => { readonly height: Height; readonly index: number } | undefined;
}

/** Creates the reader of executed blocks. */
export function createExecutedBlocks(options: ExecutedBlocksOptions): ExecutedBlocks {
  const { ledger, blocks, crypto } = options;
  const pendingAt = (height: Height): PendingBlock | undefined => options.pending?.at(height);
  return {
    pendingAt,
    contextAt: (height) => pendingAt(height)?.context ?? ledger.context(height),
    executedBlock(height) {
      if (height < 1n) return undefined;
      const before = toHeight(height - 1n);
      const pending = pendingAt(height);
      if (pending !== undefined) return { request: pending.request, before };
      const stored = ledger.block(height);
      if (stored === undefined) return undefined;
      const state = { ...ledger.state, lastValidators: ledger.validators(before) };
      // traces show the block's Ethereum hash
      const hash = blocks.block(height)?.hash ?? stored.blockId.hash;
      return { request: finalizeRequest(crypto, state, stored.block, hash), before };
    },
    placeOf(hash) {
      const decided = ledger.place(hash);
      if (decided !== undefined || options.pending === undefined) return decided;
      const height = options.pending.height();
      const index = pendingAt(height)?.indexOf(hash);
      return index === undefined ? undefined : { height, index };
    },
  };
}
