/** Unbonding delegations (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EMPTY } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import { invariant } from '../../errors.js';
import type { TimeNs } from '../../primitives.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { accountText, operatorText, storedAccount, storedOperator, type Chain } from './addresses.js';
import { STORE, UNBONDING_PREFIX, unbondingFromKey, unbondingKey, unbondingsFrom } from './keys.js';
import { indexUnbonding, nextUnbondingId } from './unbonding-ids.js';

export interface UnbondingEntry {
  readonly creationHeight: bigint;
  readonly completionTime: TimeNs;
  readonly initialBalance: bigint;
  readonly balance: bigint;
  readonly id: bigint;
  /** Number of holds by other modules; the entry completes when it is 0. */
  readonly onHold: bigint;
}

export interface UnbondingDelegation {
  readonly delegator: Uint8Array;
  readonly operator: Uint8Array;
  readonly entries: readonly UnbondingEntry[];
}

/** Converts to the SDK's message, with bech32 addresses; amounts become integer strings. */
export function unbondingMessage(chain: Chain, unbonding: UnbondingDelegation): pb.UnbondingDelegation {
  return create(pb.UnbondingDelegationSchema, {
    delegatorAddress: accountText(chain, unbonding.delegator),
    validatorAddress: operatorText(chain, unbonding.operator),
    entries: unbonding.entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: toTimestamp(entry.completionTime),
      initialBalance: entry.initialBalance.toString(),
      balance: entry.balance.toString(),
      unbondingId: entry.id,
      unbondingOnHoldRefCount: entry.onHold,
    })),
  });
}

/** Converts from the SDK's message, whose amounts must be integer strings. */
export function unbondingOfMessage(chain: Chain, message: pb.UnbondingDelegation): UnbondingDelegation {
  return {
    delegator: storedAccount(chain, message.delegatorAddress),
    operator: storedOperator(chain, message.validatorAddress),
    entries: message.entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: fromTimestamp(entry.completionTime),
      initialBalance: BigInt(entry.initialBalance),
      balance: BigInt(entry.balance),
      id: entry.unbondingId,
      onHold: entry.unbondingOnHoldRefCount,
    })),
  };
}

/** Decodes a row of the store. */
export function decodeUnbonding(chain: Chain, value: Uint8Array): UnbondingDelegation {
  return unbondingOfMessage(chain, fromBinary(pb.UnbondingDelegationSchema, value));
}

/** Unbonding delegation with all entries; undefined when there is none. */
export function getUnbonding(
  context: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
): UnbondingDelegation | undefined {
  const value = context.store.get(STORE, unbondingKey(delegator, operator));
  return value === undefined ? undefined : decodeUnbonding(context, value);
}

/** Stores an unbonding delegation and its index entry by validator. */
export function setUnbonding(context: Context, unbonding: UnbondingDelegation): void {
  const { delegator, operator } = unbonding;
  const value = toBinary(pb.UnbondingDelegationSchema, unbondingMessage(context, unbonding));
  context.store.set(STORE, unbondingKey(delegator, operator), value);
  context.store.set(STORE, unbondingFromKey(operator, delegator), EMPTY);
}

/** Stores an unbonding delegation, or deletes it when it has no entries left. */
export function setOrRemoveUnbonding(context: Context, unbonding: UnbondingDelegation): void {
  if (unbonding.entries.length > 0) {
    setUnbonding(context, unbonding);
    return;
  }
  context.store.delete(STORE, unbondingKey(unbonding.delegator, unbonding.operator));
  context.store.delete(STORE, unbondingFromKey(unbonding.operator, unbonding.delegator));
}

/**
 * Adds tokens that unbond from this block on; merges with an entry of the same block and completion time. An error in
 * a hook is ignored.
 */
export function addUnbondingEntry(
  context: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  completionTime: TimeNs,
  amount: bigint,
): void {
  const id = nextUnbondingId(context);
  const entries = getUnbonding(context, delegator, operator)?.entries ?? [];
  const same = entries.findIndex(
    (one) => one.creationHeight === context.height && one.completionTime === completionTime,
  );
  const merged = entries[same];
  const added: UnbondingEntry =
    merged === undefined
      ? { creationHeight: context.height, completionTime, initialBalance: amount, balance: amount, id, onHold: 0n }
      : { ...merged, initialBalance: merged.initialBalance + amount, balance: merged.balance + amount };
  setUnbonding(context, {
    delegator,
    operator,
    entries: merged === undefined ? [...entries, added] : entries.with(same, added),
  });
  if (merged !== undefined) return;
  indexUnbonding(context, id, 'delegation', unbondingKey(delegator, operator));
  for (const { afterUnbondingInitiated: hook } of versionOf(context).hooks.staking)
    if (hook !== undefined) attempt(context, (inner) => hook(inner, id));
}

/** All unbonding delegations, ordered by delegator, then validator. */
export function* allUnbondings(context: Context): Iterable<UnbondingDelegation> {
  for (const { value } of context.store.range(STORE, prefixRange(UNBONDING_PREFIX)))
    yield decodeUnbonding(context, value);
}

/** Unbonding delegations from one validator, ordered by delegator. */
export function* unbondingsFromValidator(context: Context, operator: Uint8Array): Iterable<UnbondingDelegation> {
  const prefix = unbondingsFrom(operator);
  for (const { key } of context.store.range(STORE, prefixRange(prefix))) {
    const unbonding = getUnbonding(context, key.subarray(prefix.length + 1), operator);
    invariant(unbonding !== undefined, 'the index of unbonding delegations holds an unknown one');
    yield unbonding;
  }
}
