import type { EvmBlock } from '../../evm/transaction.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { blockGasLimit } from '../feemarket/base-fee.js';

/** PREVRANDAO of a block for which none was set. */
export const MAX_HASH = new Uint8Array(32).fill(0xff);

/** Rules of the block in which the EVM executes. */
export interface BlockRules {
  /** Gas limit of the block. */
  readonly gasLimit: (context: Pick<Context, 'store' | 'mode'>) => bigint;
  /** COINBASE (20 bytes) of a block; `proposer`: the consensus address of its proposer. */
  readonly coinbase: (context: Context, proposer: Uint8Array) => Uint8Array;
  /** Mix hash of a block for which no PREVRANDAO was set. */
  readonly shownPrevRandao: Uint8Array;
  /** Called where code asks for the blob base fee of a block that has none; throws SdkError. */
  readonly noBlobBaseFee: () => void;
  /** Rules of the engine besides those of the fork. */
  readonly engine: Pick<EvmBlock, 'showsTouches' | 'isFloorFree' | 'warmsZero' | 'blobBaseFee'>;
}

/**
 * COINBASE is the proposer's consensus address, which is `miner` of the block, and not its operator, which is an
 * account: that would be warm in every transaction (EIP-3651).
 */
export const blockRules = new RuleSet<BlockRules>({
  gasLimit: blockGasLimit,
  coinbase: (_, proposer) => proposer,
  shownPrevRandao: MAX_HASH,
  noBlobBaseFee: () => {},
  engine: {},
});
