/** Base fee from block to block (cosmos/evm v0.6 `x/feemarket/keeper`). */
import { MAX_UINT64 } from '../../bigint.js';
import { abciEvent, emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec, truncateDec } from '../../sdk/coins/dec.js';
import type { Tx } from '../../sdk/module/tx.js';
import { getConsensusParams } from '../consensus/module.js';
import { baseFeeOverride } from '../../sdk/module/development-chain.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { getBlockGas, getParams, setBlockGas, setParams, type FeeMarketParams } from './params.js';
import { feemarketRules } from './rules.js';

/** Base fee (10^-18 wei) of the block after the last one, by the application version's rule. */
export function baseFeeAfterLast(context: Pick<Context, 'store' | 'version'>, params: FeeMarketParams): bigint {
  return baseFeeAfter(context, params, getBlockGas(context), blockGasLimit(context));
}

/** Base fee after a block whose own base fee is in `params`. */
export function baseFeeAfter(
  context: Pick<Context, 'store' | 'version'>,
  params: FeeMarketParams,
  gas: bigint,
  gasLimit: bigint,
): bigint {
  return feemarketRules.of(context).nextBaseFee(params, gas, gasLimit, evmCoin(context).unit);
}

/** Gas limit of a block, for the fee market and the EVM. */
export function blockGasLimit(context: Pick<Context, 'store'>): bigint {
  const maxGas = getConsensusParams(context)?.block?.maxGas ?? -1n;
  return maxGas > -1n ? maxGas : MAX_UINT64;
}

/**
 * Counts the gas limit of a transaction that passed the ante handler, if base fees are on (cosmos/evm
 * `ante/evm/10_gas_wanted.go`).
 */
export function countGasWanted(context: Context, { authInfo }: Tx): void {
  const gasLimit = authInfo.fee?.gasLimit ?? 0n;
  if (!isBaseFeeOn(context.height, getParams(context))) return;
  context.block.countGasWanted(gasLimit);
}

/** True when the fee market computes the base fee of a height. */
export function isBaseFeeOn(height: bigint, { noBaseFee, enableHeight }: FeeMarketParams): boolean {
  return !noBaseFee && height >= enableHeight;
}

/** Base fee (wei) that dev commands set for the block at `height`; undefined when the market computes it. */
export function nextBaseFeeOverride(context: Pick<Context, 'store' | 'version'>, height: bigint): bigint | undefined {
  return isBaseFeeOn(height, getParams(context)) ? baseFeeOverride(context, height) : undefined;
}

/**
 * Applies the base fee that a dev command set for the block at `height` to a check state. Otherwise checks compare
 * prices with the head's base fee.
 */
export function assumeBaseFeeOf(context: Context, height: bigint): void {
  const override = nextBaseFeeOverride(context, height);
  if (override !== undefined) setParams(context, { ...getParams(context), baseFee: override * DEC_ONE });
}

/** Stores and emits the base fee of the new block. */
export function beginBlock(context: Context): void {
  const params = getParams(context);
  if (!isBaseFeeOn(context.height, params)) return;
  const override = baseFeeOverride(context, context.height);
  const baseFee =
    override !== undefined
      ? override * DEC_ONE
      : context.height === params.enableHeight
        ? params.baseFee
        : baseFeeAfterLast(context, params);
  setParams(context, { ...params, baseFee });
  context.events.push(abciEvent('fee_market', [['base_fee', formatDec(baseFee)]]));
}

/**
 * Stores the block's gas: the gas used, but at least the multiplier's fraction of the gas wanted, so that a high gas
 * limit has a cost.
 */
export function endBlock(context: Context): void {
  const { minGasMultiplier } = getParams(context);
  const least = truncateDec(feemarketRules.of(context).gasWanted(context) * minGasMultiplier);
  const used = context.block.gas.consumedToLimit;
  const amount = least > used ? least : used;
  setBlockGas(context, amount);
  emit(context, 'block_gas', () => [
    ['height', context.height.toString()],
    ['amount', amount.toString()],
  ]);
}
