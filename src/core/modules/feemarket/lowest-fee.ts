import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';
import { hasFeeMarket } from './dynamic-fee.js';
import { getParams } from './params.js';

/** The coin of the SDK's tests, which evmd lets pass here: it counts as none where the price is compared. */
const TEST_DENOM = 'stake';

/**
 * The fee of a Cosmos transaction is in the chain's own coin and reaches the lowest price of the fee market, rounded up
 * to a whole coin (cosmos/evm v0.6 `ante/cosmos/min_gas_price.go`). The rule reads nothing that the transaction pays
 * for, and comes before the gas for its size.
 */
export function requireLowestFee(context: Context, { authInfo: { fee } }: Tx): void {
  if (context.mode === 'simulate') return;
  const stated = fee?.amount ?? [];
  const { baseDenom } = context.chain;
  const isForeign = stated.length > 1 || stated.some(({ denom }) => denom !== baseDenom && denom !== TEST_DENOM);
  if (context.version.quirks.singleFeeDenom && isForeign)
    throw plainError(`expected only native token ${baseDenom} for fee, but got ${formatCoins(stated)}`);
  const isOfEvmd = context.version.quirks.ethereumRules !== 'geth';
  // in evmd transactions of the genesis pay, too
  if ((context.height === 0n && !isOfEvmd) || !hasFeeMarket(context)) return;
  const { minGasPrice } = getParams(context);
  const advice = isOfEvmd ? ADVICE_OF_EVMD : '';
  if (minGasPrice > 0n) requireReached(stated, baseDenom, minGasPrice * (fee?.gasLimit ?? 0n), advice);
}

const ADVICE_OF_EVMD =
  ' Please use the --fees flag or the --gas-price flag along with the --gas flag to estimate the fee.';

/** `required`: 10^-18 coins. Without a gas limit no fee is enough, not even none. */
function requireReached(stated: readonly Coin[], denom: string, required: bigint, advice: string): void {
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
