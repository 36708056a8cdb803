import { DEC_ONE } from '../../sdk/coins/dec.js';
import type { FeeMarketParams } from './params.js';

/**
 * Minimum fee for a gas limit (whole units of the base denom, rounded down) if `fee` is below it; undefined when
 * `fee` is enough. For Ethereum transactions (cosmos/evm v0.6 `ante/evm/03_global_fee.go`).
 */
export function unmetMinimumFee(
  { minGasPrice }: Pick<FeeMarketParams, 'minGasPrice'>,
  fee: bigint,
  gasLimit: bigint,
): bigint | undefined {
  const required = minGasPrice * gasLimit;
  return fee * DEC_ONE >= required ? undefined : required / DEC_ONE;
}
