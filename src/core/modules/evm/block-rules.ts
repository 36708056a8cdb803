import type { EvmBlock } from '../../evm/transaction.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { blockGasLimit } from '../feemarket/base-fee.js';

/** Default PREVRANDAO. */
export const MAX_HASH = new Uint8Array(32).fill(0xff);

/** Rules of the block in which the EVM executes. */
export interface BlockRules {
  /** Gas limit of the block. */
  readonly gasLimit: (context: Pick<Context, 'store' | 'mode'>) => bigint;
  /** COINBASE (20 bytes) of a block; `proposer` is the proposer's consensus address. */
  readonly coinbase: (context: Context, proposer: Uint8Array) => Uint8Array;
  /** Mix hash of a block without a set PREVRANDAO. */
  readonly shownPrevRandao: Uint8Array;
  /** Called when code reads the blob base fee of a block that has none; throws SdkError. */
  readonly noBlobBaseFee: () => void;
  /** Engine rules in addition to the fork's. */
  readonly engine: Pick<EvmBlock, 'showsTouches' | 'isFloorFree' | 'warmsZero' | 'blobBaseFee'>;
}

/**
 * By default COINBASE is the proposer's consensus address, as in the block's `miner`. The operator account is not
 * used, because it would be warm in all transactions (EIP-3651).
 */
export const blockRules = new RuleSet<BlockRules>({
  gasLimit: blockGasLimit,
  coinbase: (_, proposer) => proposer,
  shownPrevRandao: MAX_HASH,
  noBlobBaseFee: () => {},
  engine: {},
});
