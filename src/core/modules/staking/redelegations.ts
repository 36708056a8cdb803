/** Delegations that moved from one validator to another (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`). */
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
  /** Shares of the destination, with 18 decimals. */
  readonly shares: bigint;
  readonly id: bigint;
  /** Holds of other modules; the entry completes without one. */
  readonly onHold: bigint;
}

/** A delegator and the operators of the two validators. */
export interface RedelegationPath {
  readonly delegator: Uint8Array;
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
}

export interface Redelegation extends RedelegationPath {
  readonly entries: readonly RedelegationEntry[];
}

/** Converts to the message of the SDK; amounts and shares become integer texts. */
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

/** Converts to the message of the SDK, with bech32 addresses. */
export function redelegationMessage(chain: Chain, redelegation: Redelegation): pb.Redelegation {
  return create(pb.RedelegationSchema, {
    delegatorAddress: accountText(chain, redelegation.delegator),
    validatorSrcAddress: operatorText(chain, redelegation.source),
    validatorDstAddress: operatorText(chain, redelegation.destination),
    entries: redelegation.entries.map(redelegationEntryMessage),
  });
}

/** Amounts of the message must be integers as text. */
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

/** Reads a redelegation with all of its entries; undefined where there is none. */
export function getRedelegation(context: Context, path: RedelegationPath): Redelegation | undefined {
  const value = context.store.get(STORE, keyOf(path));
  return value === undefined ? undefined : decodeRedelegation(context, value);
}

/** Writes a redelegation and its places among those from the one and to the other validator. */
export function setRedelegation(context: Context, redelegation: Redelegation): void {
  const { delegator, source, destination } = redelegation;
  const value = toBinary(pb.RedelegationSchema, redelegationMessage(context, redelegation));
  context.store.set(STORE, keyOf(redelegation), value);
  context.store.set(STORE, redelegationFromKey(source, delegator, destination), EMPTY);
  context.store.set(STORE, redelegationToKey(delegator, source, destination), EMPTY);
}

/** Writes a redelegation, or deletes it when it has no entries left. */
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

/** Adds an entry under the next number of unbondings. A listener that refuses stops nothing. */
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

/** True while a redelegation of the delegator to the validator is on its way. */
export function hasRedelegationTo({ store }: Context, delegator: Uint8Array, destination: Uint8Array): boolean {
  for (const _ of store.range(STORE, prefixRange(redelegationsOfTo(delegator, destination)))) return true;
  return false;
}

/** All redelegations, by delegator, source, then destination. */
export function* allRedelegations(context: Context): Iterable<Redelegation> {
  for (const { value } of context.store.range(STORE, prefixRange(REDELEGATION_PREFIX)))
    yield decodeRedelegation(context, value);
}

/** Redelegations from one validator, by delegator. */
export function* redelegationsFromValidator(context: Context, source: Uint8Array): Iterable<Redelegation> {
  const prefix = redelegationsFrom(source);
  for (const { key } of context.store.range(STORE, prefixRange(prefix))) {
    const redelegation = getRedelegation(context, pathOfFromKey(source, key.subarray(prefix.length)));
    invariant(redelegation !== undefined, 'the index of redelegations holds an unknown one');
    yield redelegation;
  }
}

/** Path in the index by source; `rest`: of the key, after the source. */
export function pathOfFromKey(source: Uint8Array, rest: Uint8Array): RedelegationPath {
  const end = 1 + (rest[0] ?? 0);
  return { delegator: rest.subarray(1, end), source, destination: rest.subarray(end + 1) };
}
