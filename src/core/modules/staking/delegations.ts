/** Delegations by delegator and by validator (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EMPTY } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { Records } from '../../state/records.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { accountText, operatorText, storedAccount, storedOperator, type Chain } from './addresses.js';
import { stakingErrors } from './errors.js';
import { DELEGATION_PREFIX, delegationKey, delegationsOf, delegationToKey, STORE } from './keys.js';

export interface Delegation {
  readonly delegator: Uint8Array;
  readonly operator: Uint8Array;
  /** Shares in units of 10^-18. */
  readonly shares: bigint;
}

/** Converts to the SDK's message; `shares` become the integer string with 18 decimals. */
export function delegationMessage(chain: Chain, { delegator, operator, shares }: Delegation): pb.Delegation {
  return create(pb.DelegationSchema, {
    delegatorAddress: accountText(chain, delegator),
    validatorAddress: operatorText(chain, operator),
    shares: shares.toString(),
  });
}

/** Converts from the SDK's message, whose shares must be an integer string. */
export function delegationOfMessage(chain: Chain, message: pb.Delegation): Delegation {
  return {
    delegator: storedAccount(chain, message.delegatorAddress),
    operator: storedOperator(chain, message.validatorAddress),
    shares: BigInt(message.shares),
  };
}

/** Decodes a row of the store. */
export function decodeDelegation(chain: Chain, value: Uint8Array): Delegation {
  return delegationOfMessage(chain, fromBinary(pb.DelegationSchema, value));
}

/** Encodes `delegationMessage`. */
export function encodeDelegation(chain: Chain, delegation: Delegation): Uint8Array {
  return toBinary(pb.DelegationSchema, delegationMessage(chain, delegation));
}

const records = new Records<Delegation, Context>(STORE, {
  encode: (delegation, context) => encodeDelegation(context, delegation),
  decode: (bytes, context) => decodeDelegation(context, bytes),
});

/** Reads a delegation; undefined where there is none. */
export function getDelegation(context: Context, delegator: Uint8Array, operator: Uint8Array): Delegation | undefined {
  return records.get(context, delegationKey(delegator, operator));
}

/** Reads a delegation; staking error 19 when there is none. */
export function requireDelegation(context: Context, delegator: Uint8Array, operator: Uint8Array): Delegation {
  const delegation = getDelegation(context, delegator, operator);
  if (delegation === undefined) throw new SdkError(stakingErrors.noDelegation);
  return delegation;
}

/** Stores a delegation and its index entry by validator. */
export function setDelegation(context: Context, delegation: Delegation): void {
  const { delegator, operator } = delegation;
  records.set(context, delegationKey(delegator, operator), delegation);
  context.store.set(STORE, delegationToKey(operator, delegator), EMPTY);
}

/** Calls the hooks, then deletes the delegation and its index entry. */
export function removeDelegation(context: Context, { delegator, operator }: Delegation): void {
  for (const { beforeDelegationRemoved } of versionOf(context).hooks.staking)
    beforeDelegationRemoved?.(context, delegator, operator);
  context.store.delete(STORE, delegationKey(delegator, operator));
  context.store.delete(STORE, delegationToKey(operator, delegator));
}

/** All delegations, ordered by delegator, then validator. */
export function* allDelegations(context: Context): Iterable<Delegation> {
  for (const { value } of context.store.range(STORE, prefixRange(DELEGATION_PREFIX)))
    yield decodeDelegation(context, value);
}

/** Delegations of one delegator, ordered by validator. */
export function* delegationsOfDelegator(context: Context, delegator: Uint8Array): Iterable<Delegation> {
  for (const { value } of context.store.range(STORE, prefixRange(delegationsOf(delegator))))
    yield decodeDelegation(context, value);
}
