import { bytesOfDigits } from '../../bytes/hex.js';
import type { Context } from '../../sdk/module/context.js';
import { contractOf, tokenPairOfDenom } from './store.js';

const VOUCHER = 'ibc/';

/**
 * Contract address of a denom, 20 bytes: that of its pair, or the last bytes of an IBC coin's hash; undefined for
 * other denoms (cosmos/evm v0.6 `x/erc20/keeper/token_pairs.go`).
 */
export function contractOfDenom(context: Context, denom: string): Uint8Array | undefined {
  const pair = tokenPairOfDenom(context, denom);
  if (pair !== undefined) return contractOf(pair.erc20Address);
  return denom.startsWith(VOUCHER) ? bytesOfDigits(denom.slice(VOUCHER.length))?.slice(-20) : undefined;
}
