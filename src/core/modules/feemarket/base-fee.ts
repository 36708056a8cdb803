/** The base fee from block to block: in whole wei as EIP-1559 says, or in decimals as cosmos/evm v0.6 computes it. */
import { abciEvent } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec, truncateDec } from '../../sdk/coins/dec.js';
import { MeteredStore } from '../../sdk/module/gas.js';
import type { Tx } from '../../sdk/module/tx.js';
import { getConsensusParams } from '../consensus/module.js';
import { toldBaseFee } from '../../sdk/module/development-chain.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { getBlockGas, getParams, setBlockGas, setParams, type FeeMarketParams } from './params.js';

const MAX_UINT64 = (1n << 64n) - 1n;

/**
 * Base fee (10^-18 wei) after a block that counted `gas` under a limit of `gasLimit`, with decimals rounded down at
 * each division (cosmos/evm v0.6 `x/feemarket/keeper/eip1559.go`). It rises by one wei at least; `unit` wei are one of
 * the coin that the fee counts.
 */
export function nextBaseFee(params: FeeMarketParams, gas: bigint, gasLimit: bigint, unit = 1n): bigint {
  const { baseFee, elasticity, changeDenominator, minGasPrice } = params;
  const target = gasLimit / elasticity;
  if (gas === target) return baseFee;
  if (target === 0n) return 0n;
  const distance = gas > target ? gas - target : target - gas;
  const change = (distance * baseFee) / target / changeDenominator;
  const least = DEC_ONE / unit;
  if (gas > target) return baseFee + (change > least ? change : least);
  return baseFee - change > minGasPrice ? baseFee - change : minGasPrice;
}

/**
 * The same in whole wei, as EIP-1559 says: a base fee of 7 wei falls no further. It falls to the lowest price of the
 * fee market at most, and stays where blocks hold no gas.
 */
export function nextWholeBaseFee(params: FeeMarketParams, gas: bigint, gasLimit: bigint): bigint {
  const { elasticity, changeDenominator, minGasPrice } = params;
  const baseFee = truncateDec(params.baseFee);
  const target = gasLimit / elasticity;
  if (gas === target || target === 0n) return baseFee * DEC_ONE;
  const distance = gas > target ? gas - target : target - gas;
  const change = (distance * baseFee) / target / changeDenominator;
  if (gas > target) return (baseFee + (change > 1n ? change : 1n)) * DEC_ONE;
  const lowest = (minGasPrice + DEC_ONE - 1n) / DEC_ONE;
  return (baseFee - change > lowest ? baseFee - change : lowest) * DEC_ONE;
}

/** Base fee (10^-18 wei) of the block after the last one, by the rule of the application version. */
export function baseFeeAfterLast(context: Pick<Context, 'store' | 'version'>, params: FeeMarketParams): bigint {
  return baseFeeAfter(context, params, getBlockGas(context), blockGasLimit(context));
}

/** The same after any block with the base fee of `params`. */
export function baseFeeAfter(
  context: Pick<Context, 'store' | 'version'>,
  params: FeeMarketParams,
  gas: bigint,
  gasLimit: bigint,
): bigint {
  return context.version.quirks.decimalBaseFee
    ? nextBaseFee(params, gas, gasLimit, evmCoin(context).unit)
    : nextWholeBaseFee(params, gas, gasLimit);
}

/** Gas limit of a block as the fee market and the EVM see it. */
export function blockGasLimit(context: Pick<Context, 'store'>): bigint {
  const maxGas = getConsensusParams(context)?.block?.maxGas ?? -1n;
  return maxGas > -1n ? maxGas : MAX_UINT64;
}

/**
 * The same as the EVM sees it. In blocks of evmd a limit of 0 is none, as for its gas meter; in checks and queries it
 * is 0 (cosmos/evm v0.6 `ante/types/block.go`, cosmos-sdk v0.53 `baseapp/abci.go`).
 */
export function evmGasLimit(context: Pick<Context, 'store' | 'mode' | 'version'>): bigint {
  const limit = blockGasLimit(context);
  const isNone = limit === 0n && context.mode === 'deliver' && context.version.quirks.ethereumRules !== 'geth';
  return isNone ? MAX_UINT64 : limit;
}

/** Bytes of the key and the value under which evmd counts the gas wanted in a block. */
const GAS_WANTED_BYTES = 1n + 8n;

/**
 * Counts the gas limit of a transaction that passed its ante chain, while base fees are on (cosmos/evm
 * `ante/evm/10_gas_wanted.go`).
 */
export function countGasWanted(context: Context, { authInfo }: Tx): void {
  const gasLimit = authInfo.fee?.gasLimit ?? 0n;
  if (!isBaseFeeOn(context.height, getParams(context))) return;
  const { block, store, version } = context;
  if (version.quirks.transientGasWanted && store instanceof MeteredStore) store.chargeTransientUpdate(GAS_WANTED_BYTES);
  block.countGasWanted(gasLimit);
}

function isBaseFeeOn(height: bigint, { noBaseFee, enableHeight }: FeeMarketParams): boolean {
  return !noBaseFee && height >= enableHeight;
}

/** Base fee (wei) that commands of dev mode set for the block at `height`; undefined where the market computes it. */
export function setBaseFeeOf(context: Pick<Context, 'store' | 'version'>, height: bigint): bigint | undefined {
  return isBaseFeeOn(height, getParams(context)) ? toldBaseFee(context, height) : undefined;
}

/**
 * Lets the state of a check have the base fee that commands of dev mode set for the block at `height`. Other checks
 * compare prices with the base fee of the head.
 */
export function assumeBaseFeeOf(context: Context, height: bigint): void {
  const told = setBaseFeeOf(context, height);
  if (told !== undefined) setParams(context, { ...getParams(context), baseFee: told * DEC_ONE });
}

/** Stores and reports the base fee of the block that begins. */
export function beginBlock(context: Context): void {
  const params = getParams(context);
  if (!isBaseFeeOn(context.height, params)) return;
  const told = toldBaseFee(context, context.height);
  const baseFee =
    told !== undefined
      ? told * DEC_ONE
      : context.height === params.enableHeight
        ? params.baseFee
        : baseFeeAfterLast(context, params);
  setParams(context, { ...params, baseFee });
  context.events.push(abciEvent('fee_market', [['base_fee', formatDec(baseFee)]]));
}

/**
 * Counts the gas of the block: the gas used, but at least the multiplier's part of the gas wanted, so that a high gas
 * limit has a cost.
 */
export function endBlock(context: Context): void {
  const { minGasMultiplier } = getParams(context);
  const wanted = truncateDec(context.block.tally.gasWanted * minGasMultiplier);
  const used = context.block.gas.consumedToLimit;
  const amount = wanted > used ? wanted : used;
  setBlockGas(context, amount);
  context.events.push(
    abciEvent('block_gas', [
      ['height', context.height.toString()],
      ['amount', amount.toString()],
    ]),
  );
}
