/** The end of the airdrop (evmos v3.0.0 `x/claims/keeper/abci.go`). */
import { prefixRange } from '../../bytes/key-order.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { getAccount } from '../auth/accounts.js';
import { allBalances, getBalance } from '../bank/balances.js';
import { fundCommunityPool } from '../distribution/community-pool.js';
import { airdropEnd, CLAIMS, getParams, setParams, STORE, type ClaimsParams } from './params.js';
import { deleteRecord, RECORD_PREFIX } from './records.js';

/**
 * After the airdrop ends, sends unclaimed coins to the community pool and disables claims. Then deletes records, a
 * bounded number per block, and sends the coins of accounts that never sent a transaction to the pool. evmos also
 * deletes those accounts.
 */
export function endBlock(context: Context): void {
  const params = getParams(context);
  if (params === undefined || context.time <= airdropEnd(params)) return;
  if (params.isEnabled) {
    const escrow = moduleAddress(context.crypto, CLAIMS);
    const left = allBalances(context, escrow);
    if (left.length > 0) fundCommunityPool(context, escrow, left);
    setParams(context, { ...params, isEnabled: false });
  }
  for (const address of firstAddresses(context)) {
    takeBack(context, address, params);
    deleteRecord(context, address);
  }
}

function firstAddresses({ store }: Context): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const { key } of store.range(STORE, prefixRange(RECORD_PREFIX)))
    if (found.push(key.slice(1)) >= CHAIN_LIMITS.claimsRecordsEndedByBlock) break;
  return found;
}

/** Takes the coins of a base account without transactions; those of vesting accounts may be locked. */
function takeBack(context: Context, address: Uint8Array, { denom }: ClaimsParams): void {
  const account = getAccount(context, address);
  if (account?.kind !== 'base' || account.base.sequence !== 0n) return;
  const balance = getBalance(context, address, denom);
  if (balance > 0n) attempt(context, (inner) => fundCommunityPool(inner, address, [coin(denom, balance)]));
}
