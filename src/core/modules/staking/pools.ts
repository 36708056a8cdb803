/** Module accounts that hold all staked tokens (cosmos-sdk v0.53 `x/staking/keeper/pool.go`). */
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { type Context, withStore } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';
import { MAX_TOTAL_POWER } from '../../comet/validator-set.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { burnCoins } from '../bank/supply.js';
import { sendCoins } from '../bank/transfer.js';
import { getParams } from './params.js';
import { POWER_REDUCTION } from './validator.js';

export const BONDED_POOL = 'bonded_tokens_pool';
export const NOT_BONDED_POOL = 'not_bonded_tokens_pool';
export type BondPool = typeof BONDED_POOL | typeof NOT_BONDED_POOL;

/** Coins of the bond denom; empty for zero. */
export function bondCoins(context: Context, amount: bigint): readonly Coin[] {
  const { bondDenom } = getParams(context);
  return amount === 0n ? [] : [coin(bondDenom, amount)];
}

/** Moves tokens from one pool to the other. */
export function movePool(context: Context, from: BondPool, amount: bigint): void {
  const coins = bondCoins(context, amount);
  const to = ensureModuleAccount(context, from === BONDED_POOL ? NOT_BONDED_POOL : BONDED_POOL);
  sendCoins(context, moduleAddress(context.crypto, from), to, coins);
}

/** Burns tokens of a pool; does nothing for zero. */
export function burnPool(context: Context, pool: BondPool, amount: bigint): void {
  if (amount > 0n) burnCoins(context, pool, bondCoins(context, amount));
}

/**
 * Throws when the tokens in the pools could exceed CometBFT's maximum total power, 2^60 - 1, which would halt the
 * chain (v0.38 `types/validator_set.go` MaxTotalVotingPower). Uses no gas.
 */
export function requirePowerWithinLimit(context: Context): void {
  const free = withStore(context, unmetered(context.store));
  const tokens = poolTokens(free, BONDED_POOL) + poolTokens(free, NOT_BONDED_POOL);
  if (tokens / POWER_REDUCTION > MAX_TOTAL_POWER)
    throw invalidRequest(`total voting power of resulting valset exceeds max ${MAX_TOTAL_POWER}`);
}

/** Tokens that a pool holds. */
export function poolTokens(context: Context, pool: BondPool): bigint {
  return getBalance(context, moduleAddress(context.crypto, pool), getParams(context).bondDenom);
}
