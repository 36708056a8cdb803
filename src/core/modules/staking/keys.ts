/** Keys of store `staking` (cosmos-sdk v0.53 `x/staking/types/keys.go`). Addresses are length-prefixed. */
import { addressKey, addressPairKey } from '../../bytes/address-key.js';
import { be64 } from '../../bytes/big-endian.js';
import { concat, lengthPrefixed } from '../../bytes/bytes.js';
import { sortableTime } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';

export const STORE = 'staking';

const prefix = (byte: number): Uint8Array => Uint8Array.of(byte);

export const LAST_POWER_PREFIX = prefix(0x11);
export const LAST_TOTAL_POWER_KEY = prefix(0x12);
export const VALIDATOR_PREFIX = prefix(0x21);
const BY_CONSENSUS_PREFIX = prefix(0x22);
export const POWER_INDEX_PREFIX = prefix(0x23);
export const DELEGATION_PREFIX = prefix(0x31);
export const UNBONDING_PREFIX = prefix(0x32);
const UNBONDING_OF_VALIDATOR_PREFIX = prefix(0x33);
export const REDELEGATION_PREFIX = prefix(0x34);
const REDELEGATION_FROM_PREFIX = prefix(0x35);
const REDELEGATION_TO_PREFIX = prefix(0x36);
export const UNBONDING_ID_KEY = prefix(0x37);
const UNBONDING_INDEX_PREFIX = prefix(0x38);
const UNBONDING_TYPE_PREFIX = prefix(0x39);
export const UNBONDING_QUEUE_PREFIX = prefix(0x41);
export const REDELEGATION_QUEUE_PREFIX = prefix(0x42);
export const VALIDATOR_QUEUE_PREFIX = prefix(0x43);
const HISTORICAL_INFO_PREFIX = prefix(0x50);
export const PARAMS_KEY = prefix(0x51);
export const VALIDATOR_UPDATES_KEY = prefix(0x61);
const DELEGATION_OF_VALIDATOR_PREFIX = prefix(0x71);

/** Key of a validator. */
export const validatorKey = (operator: Uint8Array): Uint8Array => addressKey(VALIDATOR_PREFIX, operator);
/** Key of the index row from a consensus address to its operator. */
export const byConsensusKey = (consensus: Uint8Array): Uint8Array => addressKey(BY_CONSENSUS_PREFIX, consensus);
/** Key of a validator's power after the last block. */
export const lastPowerKey = (operator: Uint8Array): Uint8Array => addressKey(LAST_POWER_PREFIX, operator);
/** Operator in a validator or last power key. */
export const operatorOfKey = (key: Uint8Array): Uint8Array => key.subarray(2);

/**
 * Key in the power index. Greater powers sort last; among equal powers, lesser addresses do, because their bytes are
 * inverted.
 */
export function powerIndexKey(power: bigint, operator: Uint8Array): Uint8Array {
  const at = POWER_INDEX_PREFIX.length + 8 + 1;
  const key = new Uint8Array(at + operator.length);
  key.set(POWER_INDEX_PREFIX);
  key.set(be64(power), POWER_INDEX_PREFIX.length);
  key[at - 1] = operator.length;
  for (let index = 0; index < operator.length; index += 1) key[at + index] = 0xff - (operator[index] ?? 0);
  return key;
}

/** Prefix of the delegations of a delegator. */
export const delegationsOf = (delegator: Uint8Array): Uint8Array => addressKey(DELEGATION_PREFIX, delegator);
/** Key of a delegation. */
export const delegationKey = (delegator: Uint8Array, operator: Uint8Array): Uint8Array =>
  addressPairKey(DELEGATION_PREFIX, delegator, operator);
/** Prefix of the index of delegations by validator. */
export const delegationsTo = (operator: Uint8Array): Uint8Array => addressKey(DELEGATION_OF_VALIDATOR_PREFIX, operator);
/** Key in the index of delegations by validator; the delegator is not length-prefixed here. */
export const delegationToKey = (operator: Uint8Array, delegator: Uint8Array): Uint8Array =>
  addressKey(DELEGATION_OF_VALIDATOR_PREFIX, operator, delegator);

/** Prefix of a delegator's unbonding delegations. */
export const unbondingsOf = (delegator: Uint8Array): Uint8Array => concat(UNBONDING_PREFIX, lengthPrefixed(delegator));
/** Key of an unbonding delegation. */
export const unbondingKey = (delegator: Uint8Array, operator: Uint8Array): Uint8Array =>
  concat(UNBONDING_PREFIX, lengthPrefixed(delegator), lengthPrefixed(operator));
/** Prefix of the index of unbonding delegations by validator. */
export const unbondingsFrom = (operator: Uint8Array): Uint8Array =>
  concat(UNBONDING_OF_VALIDATOR_PREFIX, lengthPrefixed(operator));
/** Key in the index of unbonding delegations by validator; its value is empty. */
export const unbondingFromKey = (operator: Uint8Array, delegator: Uint8Array): Uint8Array =>
  concat(unbondingsFrom(operator), lengthPrefixed(delegator));

/** Prefix of the redelegations of a delegator. */
export const redelegationsOf = (delegator: Uint8Array): Uint8Array =>
  concat(REDELEGATION_PREFIX, lengthPrefixed(delegator));
/** Key of a redelegation. */
export const redelegationKey = (delegator: Uint8Array, source: Uint8Array, destination: Uint8Array): Uint8Array =>
  concat(REDELEGATION_PREFIX, lengthPrefixed(delegator), lengthPrefixed(source), lengthPrefixed(destination));
/** Prefix of the index of redelegations by source validator. */
export const redelegationsFrom = (source: Uint8Array): Uint8Array =>
  concat(REDELEGATION_FROM_PREFIX, lengthPrefixed(source));
/** Key in the index of redelegations by source; its value is empty. */
export const redelegationFromKey = (source: Uint8Array, delegator: Uint8Array, destination: Uint8Array): Uint8Array =>
  concat(redelegationsFrom(source), lengthPrefixed(delegator), lengthPrefixed(destination));
/** Prefix of a delegator's redelegations to a validator. */
export const redelegationsOfTo = (delegator: Uint8Array, destination: Uint8Array): Uint8Array =>
  concat(REDELEGATION_TO_PREFIX, lengthPrefixed(destination), lengthPrefixed(delegator));
/** Key in the index of redelegations by destination; its value is empty. */
export const redelegationToKey = (delegator: Uint8Array, source: Uint8Array, destination: Uint8Array): Uint8Array =>
  concat(redelegationsOfTo(delegator, destination), lengthPrefixed(source));

/** Key of the index row from an unbonding id to its record. */
export const unbondingIndexKey = (id: bigint): Uint8Array => concat(UNBONDING_INDEX_PREFIX, be64(id));
/** Key of the row with the kind of record of an unbonding id. */
export const unbondingTypeKey = (id: bigint): Uint8Array => concat(UNBONDING_TYPE_PREFIX, be64(id));
/** Key of the historical info of a height. */
export const historicalInfoKey = (height: bigint): Uint8Array => concat(HISTORICAL_INFO_PREFIX, be64(height));

/** Key of unbonding delegations that complete at a time; keys sort by time. */
export const unbondingQueueKey = (time: TimeNs): Uint8Array => concat(UNBONDING_QUEUE_PREFIX, sortableTime(time));
/** Key of redelegations that complete at a time. */
export const redelegationQueueKey = (time: TimeNs): Uint8Array => concat(REDELEGATION_QUEUE_PREFIX, sortableTime(time));

/** Key of validators that complete unbonding at a time and height; keys sort by time. */
export function validatorQueueKey(time: TimeNs, height: bigint): Uint8Array {
  const text = sortableTime(time);
  return concat(VALIDATOR_QUEUE_PREFIX, be64(BigInt(text.length)), text, be64(height));
}
