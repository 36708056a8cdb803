import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';
import { hasFeeMarket } from './dynamic-fee.js';
import { getParams } from './params.js';

/**
 * Requires a fee in the native coin that reaches the fee market's minimum price, rounded up to a whole coin
 * (cosmos/evm v0.6 `ante/cosmos/min_gas_price.go`). Its reads cost no gas, and it runs before gas is charged for the
 * size.
 */
export function requireMinGasPrice(context: Context, { authInfo: { fee } }: Tx): void {
  if (context.mode === 'simulate' || context.height === 0n || !hasFeeMarket(context)) return;
  const { minGasPrice } = getParams(context);
  if (minGasPrice > 0n)
    requireFeeAtLeast(fee?.amount ?? [], context.chain.baseDenom, minGasPrice * (fee?.gasLimit ?? 0n));
}

/**
 * Throws SDK error 13 for a stated fee below `required` (10^-18 coins of `denom`); without a gas limit no fee is
 * enough. `advice` is appended when no fee is stated.
 */
export function requireFeeAtLeast(stated: readonly Coin[], denom: string, required: bigint, advice = ''): void {
  const whole = (required + DEC_ONE - 1n) / DEC_ONE;
  const text = whole === 0n ? '' : `${whole}${denom}`;
  if (stated.length === 0)
    throw new SdkError(
      sdkErrors.insufficientFee,
      `fee not provided.${advice} The minimum global fee for this tx is: ${text}`,
    );
  const paid = BigInt(stated.find((one) => one.denom === denom)?.amount ?? '0');
  if (whole > 0n && paid >= whole) return;
  throw new SdkError(
    sdkErrors.insufficientFee,
    `provided fee < minimum global fee (${formatCoins(stated)} < ${text}). Please increase the gas price.`,
  );
}
