/** Redelegations between validators (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`). */
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
import {
  REDELEGATION_PREFIX,
  redelegationFromKey,
  redelegationKey,
  redelegationsFrom,
  redelegationsOfTo,
  redelegationToKey,
  STORE,
} from './keys.js';
import { indexUnbonding, nextUnbondingId } from './unbonding-ids.js';

export interface RedelegationEntry {
  readonly creationHeight: bigint;
  readonly completionTime: TimeNs;
  readonly initialBalance: bigint;
  /** Shares of the destination in units of 10^-18. */
  readonly shares: bigint;
  readonly id: bigint;
  /** Number of holds by other modules; the entry completes when it is 0. */
  readonly onHold: bigint;
}

/** Delegator and the operators of both validators. */
export interface RedelegationPath {
  readonly delegator: Uint8Array;
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
}

export interface Redelegation extends RedelegationPath {
  readonly entries: readonly RedelegationEntry[];
}

/** Converts to the SDK's message; amounts and shares become integer strings. */
export function redelegationEntryMessage(entry: RedelegationEntry): pb.RedelegationEntry {
  return create(pb.RedelegationEntrySchema, {
    creationHeight: entry.creationHeight,
    completionTime: toTimestamp(entry.completionTime),
    initialBalance: entry.initialBalance.toString(),
    sharesDst: entry.shares.toString(),
    unbondingId: entry.id,
    unbondingOnHoldRefCount: entry.onHold,
  });
}

/** Converts to the SDK's message, with bech32 addresses. */
export function redelegationMessage(chain: Chain, redelegation: Redelegation): pb.Redelegation {
  return create(pb.RedelegationSchema, {
    delegatorAddress: accountText(chain, redelegation.delegator),
    validatorSrcAddress: operatorText(chain, redelegation.source),
    validatorDstAddress: operatorText(chain, redelegation.destination),
    entries: redelegation.entries.map(redelegationEntryMessage),
  });
}

/** Converts from the SDK's message, whose amounts must be integer strings. */
export function redelegationOfMessage(chain: Chain, message: pb.Redelegation): Redelegation {
  return {
    delegator: storedAccount(chain, message.delegatorAddress),
    source: storedOperator(chain, message.validatorSrcAddress),
    destination: storedOperator(chain, message.validatorDstAddress),
    entries: message.entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: fromTimestamp(entry.completionTime),
      initialBalance: BigInt(entry.initialBalance),
      shares: BigInt(entry.sharesDst),
      id: entry.unbondingId,
      onHold: entry.unbondingOnHoldRefCount,
    })),
  };
}

/** Decodes a row of the store. */
export function decodeRedelegation(chain: Chain, value: Uint8Array): Redelegation {
  return redelegationOfMessage(chain, fromBinary(pb.RedelegationSchema, value));
}

const keyOf = ({ delegator, source, destination }: RedelegationPath): Uint8Array =>
  redelegationKey(delegator, source, destination);

/** Redelegation with all entries; undefined when there is none. */
export function getRedelegation(context: Context, path: RedelegationPath): Redelegation | undefined {
  const value = context.store.get(STORE, keyOf(path));
  return value === undefined ? undefined : decodeRedelegation(context, value);
}

/** Stores a redelegation and its index entries by source and destination. */
export function setRedelegation(context: Context, redelegation: Redelegation): void {
  const { delegator, source, destination } = redelegation;
  const value = toBinary(pb.RedelegationSchema, redelegationMessage(context, redelegation));
  context.store.set(STORE, keyOf(redelegation), value);
  context.store.set(STORE, redelegationFromKey(source, delegator, destination), EMPTY);
  context.store.set(STORE, redelegationToKey(delegator, source, destination), EMPTY);
}

/** Stores a redelegation, or deletes it when it has no entries left. */
export function setOrRemoveRedelegation(context: Context, redelegation: Redelegation): void {
  if (redelegation.entries.length > 0) {
    setRedelegation(context, redelegation);
    return;
  }
  const { delegator, source, destination } = redelegation;
  context.store.delete(STORE, keyOf(redelegation));
  context.store.delete(STORE, redelegationFromKey(source, delegator, destination));
  context.store.delete(STORE, redelegationToKey(delegator, source, destination));
}

/** Adds an entry with the next unbonding id. An error in a hook is ignored. */
export function addRedelegationEntry(
  context: Context,
  path: RedelegationPath,
  entry: Omit<RedelegationEntry, 'id' | 'onHold'>,
): void {
  const id = nextUnbondingId(context);
  const entries = getRedelegation(context, path)?.entries ?? [];
  setRedelegation(context, { ...path, entries: [...entries, { ...entry, id, onHold: 0n }] });
  indexUnbonding(context, id, 'redelegation', keyOf(path));
  for (const { afterUnbondingInitiated: hook } of versionOf(context).hooks.staking)
    if (hook !== undefined) attempt(context, (inner) => hook(inner, id));
}

/** True when the delegator has an incomplete redelegation to the validator. */
export function hasRedelegationTo({ store }: Context, delegator: Uint8Array, destination: Uint8Array): boolean {
  for (const _ of store.range(STORE, prefixRange(redelegationsOfTo(delegator, destination)))) return true;
  return false;
}

/** All redelegations, ordered by delegator, source, then destination. */
export function* allRedelegations(context: Context): Iterable<Redelegation> {
  for (const { value } of context.store.range(STORE, prefixRange(REDELEGATION_PREFIX)))
    yield decodeRedelegation(context, value);
}

/** Redelegations from one validator, ordered by delegator. */
export function* redelegationsFromValidator(context: Context, source: Uint8Array): Iterable<Redelegation> {
  const prefix = redelegationsFrom(source);
  for (const { key } of context.store.range(STORE, prefixRange(prefix))) {
    const redelegation = getRedelegation(context, pathInSourceIndex(source, key.subarray(prefix.length)));
    invariant(redelegation !== undefined, 'the index of redelegations holds an unknown one');
    yield redelegation;
  }
}

/** Path from a key in the index by source; `rest` is the key after the source. */
export function pathInSourceIndex(source: Uint8Array, rest: Uint8Array): RedelegationPath {
  const end = 1 + (rest[0] ?? 0);
  return { delegator: rest.subarray(1, end), source, destination: rest.subarray(end + 1) };
}
