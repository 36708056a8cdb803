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

/** Blocks as calls and traces read them, the block `pending` among them. */
export interface ExecutedBlocks {
  /** The block `pending` at this height; undefined where it is not there. */
  readonly pendingAt: (height: Height) => PendingBlock | undefined;
  readonly contextAt: (height: Height) => BlockContext;
  /** The request by which a block was executed, and the height of the state before it. */
  readonly executedBlock: (
    height: Height,
  ) => { readonly request: FinalizeBlockRequest; readonly before: Height } | undefined;
  /** Place of a transaction by its hash. */
  readonly placeOf: (hash: Uint8Array) => { readonly height: Height; readonly index: number } | undefined;
}

/** Creates the view of executed blocks of a chain. */
export function createExecutedBlocks(options: ExecutedBlocksOptions): ExecutedBlocks {
  const { ledger, blocks, crypto } = options;
  const pendingAt = (height: Height): PendingBlock | undefined => options.pending?.at(height);
  return {
    pendingAt,
    contextAt: (height) => pendingAt(height)?.context ?? ledger.context(height),
    executedBlock(height) {
      const before = toHeight(height - 1n);
      const pending = pendingAt(height);
      if (pending !== undefined) return { request: pending.request, before };
      const stored = height < 1n ? undefined : ledger.block(height);
      if (stored === undefined) return undefined;
      const state = { ...ledger.state, lastValidators: ledger.validators(before) };
      // traces name the hash that the block has on this face
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
