/** Unbonding ids and their index (cosmos-sdk v0.53 `x/staking/keeper/unbonding.go`). */
import { be64, readBe64 } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import { STORE, UNBONDING_ID_KEY, unbondingIndexKey, unbondingTypeKey } from './keys.js';

/** Store numbers of the kinds of unbonding records. */
const UNBONDING_KINDS = { delegation: 1n, redelegation: 2n, validator: 3n } as const;

/** Takes the next unbonding id; the first one is 1. */
export function nextUnbondingId({ store }: Context): bigint {
  const stored = store.get(STORE, UNBONDING_ID_KEY);
  const id = (stored === undefined ? 0n : readBe64(stored)) + 1n;
  store.set(STORE, UNBONDING_ID_KEY, be64(id));
  return id;
}

/** Stores the index of an unbonding id. `key` is that of the validator, unbonding delegation or redelegation. */
export function indexUnbonding(
  { store }: Context,
  id: bigint,
  kind: keyof typeof UNBONDING_KINDS,
  key: Uint8Array,
): void {
  store.set(STORE, unbondingIndexKey(id), key);
  store.set(STORE, unbondingTypeKey(id), be64(UNBONDING_KINDS[kind]));
}

/** Deletes the index of an unbonding id. Its kind stays in the store, as in the SDK. */
export function deleteUnbondingIndex({ store }: Context, id: bigint): void {
  store.delete(STORE, unbondingIndexKey(id));
}
