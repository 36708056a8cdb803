/** The claim of one action (evmos v3.0.0 `x/claims/keeper/claim.go`). */
import { Action } from '../../proto/evmos/claims/v1/claims_pb.js';
import type { TimeNs } from '../../primitives.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { DEC_ONE, mulDec, quoDec, roundDec } from '../../sdk/coins/dec.js';
import { emit } from '../../sdk/module/abci-event.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { fundCommunityPool } from '../distribution/community-pool.js';
import { CLAIMS, decayStart, getParams, isActive, type ClaimsParams } from './params.js';
import { getRecord, hasClaimed, perAction, setRecord, withClaimed, type ClaimsRecord } from './records.js';

/** Claimable coins of an action at a time, and the part for the community pool; both are 0 after the claim. */
export function claimableAmount(
  record: ClaimsRecord,
  action: Action,
  params: ClaimsParams,
  time: TimeNs,
): { readonly claimable: bigint; readonly remainder: bigint } {
  if (hasClaimed(record, action)) return { claimable: 0n, remainder: 0n };
  const whole = perAction(record);
  const elapsed = time - decayStart(params);
  if (elapsed <= 0n) return { claimable: whole, remainder: 0n };
  if (elapsed >= params.ofDecay) return { claimable: 0n, remainder: whole };
  const left = DEC_ONE - quoDec(elapsed * DEC_ONE, params.ofDecay * DEC_ONE);
  const claimable = roundDec(mulDec(whole * DEC_ONE, left));
  return { claimable, remainder: whole - claimable };
}

/**
 * Pays an account with a claims record for an action. A failure (such as a blocked receiver) leaves no changes, and
 * the action itself continues.
 */
export function claimAction(context: Context, address: Uint8Array, action: Action): void {
  // Checking whether claims are off consumes no gas.
  const params = getParams({ store: unmetered(context.store) });
  if (params === undefined || !isActive(params, context.time)) return;
  const record = getRecord(context, address);
  if (record !== undefined) attempt(context, (inner) => void payForAction(inner, address, action, record, params));
}

/** Pays the account for an action of a record and stores the updated record; returns the paid amount. */
export function payForAction(
  context: Context,
  address: Uint8Array,
  action: Action,
  record: ClaimsRecord,
  params: ClaimsParams,
): bigint {
  const { claimable, remainder } = claimableAmount(record, action, params, context.time);
  if (claimable === 0n) return 0n;
  const coins = [coin(params.denom, claimable)];
  sendFromModule(context, CLAIMS, address, coins);
  if (remainder > 0n)
    fundCommunityPool(context, moduleAddress(context.crypto, CLAIMS), [coin(params.denom, remainder)]);
  setRecord(context, address, withClaimed(record, action));
  emit(context, 'claim', () => [
    ['sender', encodeAddress(context.chain.bech32Prefix, address)],
    ['amount', `${claimable}${params.denom}`],
    ['action', `ACTION_${Action[action]}`],
  ]);
  return claimable;
}
