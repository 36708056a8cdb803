import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { areValidCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';
import { getParams } from './params.js';

/** Throws SDK error 18 unless a coin has the bond denom. */
export function requireBondDenom(context: Context, { denom }: Coin): void {
  const { bondDenom } = getParams(context);
  if (denom !== bondDenom) throw invalidRequest(`invalid coin denomination: got ${denom}, expected ${bondDenom}`);
}

/** Requires a positive coin; SDK error 18 with `text` otherwise. */
export function requirePositive(coin: Coin | undefined, text: string): Coin {
  if (coin === undefined || !areValidCoins([coin])) throw invalidRequest(text);
  return coin;
}
