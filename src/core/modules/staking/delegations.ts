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
  /** With 18 decimals. */
  readonly shares: bigint;
}

/** Converts to the message of the SDK; `shares` become the integer text with 18 decimals. */
export function delegationMessage(chain: Chain, { delegator, operator, shares }: Delegation): pb.Delegation {
  return create(pb.DelegationSchema, {
    delegatorAddress: accountText(chain, delegator),
    validatorAddress: operatorText(chain, operator),
    shares: shares.toString(),
  });
}

/** The shares of the message must be an integer as text. */
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

/** The bytes of `delegationMessage`. */
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

/** The delegation, or staking error 19 `no delegation for (address, validator) tuple`. */
export function requireDelegation(context: Context, delegator: Uint8Array, operator: Uint8Array): Delegation {
  const delegation = getDelegation(context, delegator, operator);
  if (delegation === undefined) throw new SdkError(stakingErrors.noDelegation);
  return delegation;
}

/** Writes a delegation and its place among those to the validator. */
export function setDelegation(context: Context, delegation: Delegation): void {
  const { delegator, operator } = delegation;
  records.set(context, delegationKey(delegator, operator), delegation);
  context.store.set(STORE, delegationToKey(operator, delegator), EMPTY);
}

/** Tells the listeners, then deletes the delegation and its place among those to the validator. */
export function removeDelegation(context: Context, { delegator, operator }: Delegation): void {
  for (const { beforeDelegationRemoved } of versionOf(context).hooks.staking)
    beforeDelegationRemoved?.(context, delegator, operator);
  context.store.delete(STORE, delegationKey(delegator, operator));
  context.store.delete(STORE, delegationToKey(operator, delegator));
}

/** All delegations, by delegator, then by validator. */
export function* allDelegations(context: Context): Iterable<Delegation> {
  for (const { value } of context.store.range(STORE, prefixRange(DELEGATION_PREFIX)))
    yield decodeDelegation(context, value);
}

/** Delegations of one delegator, by validator. */
export function* delegationsOfDelegator(context: Context, delegator: Uint8Array): Iterable<Delegation> {
  for (const { value } of context.store.range(STORE, prefixRange(delegationsOf(delegator))))
    yield decodeDelegation(context, value);
}
