/** Allowances and their expiry queue (cosmossdk.io/x/feegrant v0.2.0 `keeper/keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { EMPTY } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { GrantSchema, type Grant } from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { createAccount, getAccount } from '../auth/accounts.js';
import { requireReceiver } from '../bank/send-rules.js';
import type { Allowance } from './allowance.js';
import { allowanceKey, allowanceOfQueueKey, queueBefore, queueKey, STORE, type Pair } from './keys.js';
import { feegrantRules } from './rules.js';
import { unpackAllowance } from './unpack.js';

/** Decodes a row of the store. */
export const decodeGrant = (value: Uint8Array): Grant => fromBinary(GrantSchema, value);

function readAllowance(context: Context, pair: Pair): Allowance | undefined {
  const value = context.store.get(STORE, allowanceKey(pair));
  return value === undefined ? undefined : unpackAllowance(decodeGrant(value).allowance);
}

/** Allowance between two accounts; SDK error 38 when there is none. */
export function requireAllowance(context: Context, pair: Pair): Allowance {
  const allowance = readAllowance(context, pair);
  if (allowance === undefined) throw new SdkError(sdkErrors.notFound, 'fee-grant not found');
  return allowance;
}

/** Throws SDK error 18 when there already is an allowance between the accounts. */
export function requireNone(context: Context, pair: Pair): void {
  if (readAllowance(context, pair) !== undefined) throw invalidRequest('fee allowance already exists');
}

/** Stores a new allowance; creates the grantee's account when it has none. */
export function grantAllowance(context: Context, pair: Pair, { any, end }: Allowance): void {
  requireNone(context, pair);
  if (getAccount(context, pair.grantee) === undefined) {
    requireReceiver(context, pair.grantee, encodeAddress(context.chain.bech32Prefix, pair.grantee));
    createAccount(context, pair.grantee);
  }
  if (end !== undefined && end < context.time) throw invalidRequest('expiration is before current block time');
  if (end !== undefined) context.store.set(STORE, queueKey(end, pair), EMPTY);
  writeGrant(context, pair, any);
  emitChange(context, 'set_feegrant', pair);
}

/** Removes an allowance. */
export function revokeAllowance(context: Context, pair: Pair): void {
  const { end } = requireAllowance(context, pair);
  context.store.delete(STORE, allowanceKey(pair));
  if (end !== undefined) context.store.delete(STORE, queueKey(end, feegrantRules.of(context).unqueued(pair)));
  emitChange(context, 'revoke_feegrant', pair);
}

/** Deducts a fee from an allowance; throws SdkError when it does not cover it. `typeUrls` are the messages'. */
export function useAllowance(context: Context, pair: Pair, fee: readonly Coin[], typeUrls: readonly string[]): void {
  const used = requireAllowance(context, pair).use(context, fee, typeUrls);
  if (used.kind !== 'left') revokeAllowance(context, pair);
  // The SDK revokes it first, which consumes gas even though the rejected transaction leaves no changes.
  if (used.kind === 'ended') throw used.refusal;
  emitChange(context, 'use_feegrant', pair);
  if (used.kind === 'used up') return;
  requireAllowance(context, pair);
  writeGrant(context, pair, used.allowance);
  emitChange(context, 'update_feegrant', pair);
}

/** Deletes at most `limit` allowances that expired before the block. */
export function deleteExpired({ store, time }: Context, limit: number): void {
  const keys: Uint8Array[] = [];
  for (const { key } of store.range(STORE, queueBefore(time))) {
    keys.push(key);
    if (keys.length === limit) break;
  }
  for (const key of keys) {
    store.delete(STORE, key);
    store.delete(STORE, allowanceOfQueueKey(key));
  }
}

function writeGrant(context: Context, pair: Pair, allowance: Any): void {
  const grant = create(GrantSchema, { ...namesOf(context, pair), allowance });
  context.store.set(STORE, allowanceKey(pair), toBinary(GrantSchema, grant));
}

function namesOf({ chain }: Context, { granter, grantee }: Pair): { granter: string; grantee: string } {
  return {
    granter: encodeAddress(chain.bech32Prefix, granter),
    grantee: encodeAddress(chain.bech32Prefix, grantee),
  };
}

function emitChange(context: Context, type: string, pair: Pair): void {
  emit(context, type, () => Object.entries(namesOf(context, pair)));
}
