/** The fee market of cosmos/evm v0.6. */
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { countGasWanted as count, isBaseFeeOn } from '../../modules/feemarket/base-fee.js';
import { feeAt, offerOf, requirePrice, tipOf } from '../../modules/feemarket/dynamic-fee.js';
import { requireFeeAtLeast } from '../../modules/feemarket/min-gas-price.js';
import { getParams, type FeeMarketParams } from '../../modules/feemarket/params.js';
import { feemarketRules } from '../../modules/feemarket/rules.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { MeteredStore } from '../../sdk/module/gas.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';

export const feemarket = feemarketRules.with({
  nextBaseFee,
  /** Transient stores live from InitChain to the end of the first block. */
  gasWanted: ({ block, chain: { genesisTransactions: genesis }, height }) =>
    block.tally.gasWanted + (genesis?.initialHeight === height ? genesis.gasWanted : 0n),
});

/**
 * Next base fee in decimal arithmetic that rounds down at each division; it can fall to zero while blocks are empty
 * (`x/feemarket/keeper/eip1559.go`). It rises by at least one wei.
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

/** Bytes of key and value of the transient sum of wanted gas. */
const GAS_WANTED_BYTES = 1n + 8n;

/**
 * While base fees are enabled, each transaction pays gas for updating a transient counter
 * (`ante/evm/10_gas_wanted.go`).
 */
export function countGasWanted(context: Context, tx: Tx): void {
  const { height, store } = context;
  if (store instanceof MeteredStore && isBaseFeeOn(height, getParams(context)))
    store.chargeTransientUpdate(GAS_WANTED_BYTES);
  count(context, tx);
}

/** Denom of the SDK's tests; the price check accepts it and counts it as nothing. */
const TEST_DENOM = 'stake';
const ADVICE = ' Please use the --fees flag or the --gas-price flag along with the --gas flag to estimate the fee.';

/**
 * A fee in another denom fails with an unregistered error; genesis transactions must pay too
 * (`ante/cosmos/min_gas_price.go`).
 */
export function requireMinGasPrice(context: Context, { authInfo: { fee } }: Tx): void {
  if (context.mode === 'simulate') return;
  const stated = fee?.amount ?? [];
  const { baseDenom } = context.chain;
  if (stated.length > 1 || stated.some(({ denom }) => denom !== baseDenom && denom !== TEST_DENOM))
    throw plainError(`expected only native token ${baseDenom} for fee, but got ${formatCoins(stated)}`);
  const { minGasPrice } = getParams(context);
  if (minGasPrice > 0n) requireFeeAtLeast(stated, baseDenom, minGasPrice * (fee?.gasLimit ?? 0n), ADVICE);
}

/** Highest price above the base fee without the dynamic fee extension option. */
const MAX_TIP = (2n ** 63n - 1n) * DEC_ONE;

/**
 * Fee that is charged. It uses the base fee of the parameters even when base fees are off, and names the coin even
 * when its amount is zero (`ante/evm/fee_checker.go` FeeChecker).
 */
export function chargedFee(context: Context, tx: Tx): readonly Coin[] {
  const offer = offerOf(context, tx);
  const { baseFee } = getParams(context);
  requirePrice(offer, baseFee);
  const highest = baseFee + (tipOf(tx) ?? MAX_TIP);
  return [coin(offer.denom, feeAt(offer, highest < offer.price ? highest : offer.price))];
}
