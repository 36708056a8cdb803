/**
 * Validators in the state: by operator, by consensus address and by power (cosmos-sdk v0.53
 * `x/staking/keeper/validator.go`).
 */
import { prefixRange } from '../../bytes/key-order.js';
import { invariant } from '../../errors.js';
import type { Context } from '../../sdk/module/context.js';
import { Records } from '../../state/records.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { stakingErrors } from './errors.js';
import { byConsensusKey, POWER_INDEX_PREFIX, powerIndexKey, STORE, VALIDATOR_PREFIX, validatorKey } from './keys.js';
import { getParams } from './params.js';
import {
  consensusAddressOf,
  decodeValidator,
  encodeValidator,
  isBonded,
  potentialPower,
  type Validator,
} from './validator.js';

const records = new Records<Validator, Context>(STORE, {
  encode: (validator, context) => encodeValidator(context, validator),
  decode: (bytes, context) => decodeValidator(context, bytes),
});

/** Reads a validator by its operator address; undefined where there is none. */
export function getValidator(context: Context, operator: Uint8Array): Validator | undefined {
  return records.get(context, validatorKey(operator));
}

/** The validator, or staking error 3 `validator does not exist`. */
export function requireValidator(context: Context, operator: Uint8Array): Validator {
  return requireStored(context, operator).validator;
}

/** The validator with the bytes that hold it, or staking error 3 `validator does not exist`. */
export function requireStored(
  context: Context,
  operator: Uint8Array,
): { readonly value: Uint8Array; readonly validator: Validator } {
  const key = validatorKey(operator);
  const value = context.store.get(STORE, key);
  if (value === undefined) throw new SdkError(stakingErrors.noValidator);
  return { value, validator: records.decode(context, key, value) };
}

/** `consensus`: address of the consensus key. */
export function getValidatorByConsensus(context: Context, consensus: Uint8Array): Validator | undefined {
  const operator = context.store.get(STORE, byConsensusKey(consensus));
  return operator === undefined ? undefined : getValidator(context, operator);
}

/** Stores a validator; its rows by consensus address and by power are separate. */
export function setValidator(context: Context, validator: Validator): void {
  records.set(context, validatorKey(validator.operator), validator);
}

/** Stores the operator under the address of the consensus key. */
export function setValidatorByConsensus(context: Context, validator: Validator): void {
  context.store.set(STORE, byConsensusKey(consensusAddressOf(context.crypto, validator)), validator.operator);
}

const indexKey = (validator: Validator): Uint8Array => powerIndexKey(potentialPower(validator), validator.operator);

/** Writes the validator's place among the powers; jailed validators have no place there. */
export function setByPower(context: Context, validator: Validator): void {
  if (!validator.jailed) context.store.set(STORE, indexKey(validator), validator.operator);
}

/** Deletes the row by power; `validator` must have the tokens with which the row was written. */
export function deleteByPower(context: Context, validator: Validator): void {
  context.store.delete(STORE, indexKey(validator));
}

/** Writes a changed validator and moves it among the powers. Its place is deleted and written also when it stays. */
export function replaceValidator(context: Context, before: Validator, after: Validator): Validator {
  const place = indexKey(before);
  context.store.delete(STORE, place);
  setValidator(context, after);
  const stays = potentialPower(before) === potentialPower(after);
  if (!after.jailed) context.store.set(STORE, stays ? place : indexKey(after), after.operator);
  return after;
}

/** All validators, by operator. */
export function* allValidators(context: Context): Iterable<Validator> {
  for (const { key, value } of context.store.range(STORE, prefixRange(VALIDATOR_PREFIX)))
    yield records.decode(context, key, value);
}

/** Validators that are not jailed, the greatest power first. */
export function* validatorsByPower(context: Context): Iterable<Validator> {
  for (const { value } of context.store.range(STORE, prefixRange(POWER_INDEX_PREFIX, true))) {
    yield requireIndexed(context, value);
  }
}

function requireIndexed(context: Context, operator: Uint8Array): Validator {
  const validator = getValidator(context, operator);
  invariant(validator !== undefined, 'the order of powers holds an unknown validator');
  return validator;
}

/**
 * Bonded validators, the greatest power first, at most as many as the parameters allow; none is read beyond them
 * (cosmos-sdk v0.53 `x/staking/keeper/alias_functions.go` IterateBondedValidatorsByPower).
 */
export function* bondedValidatorsByPower(context: Context): Iterable<Validator> {
  const { maxValidators } = getParams(context);
  let count = 0;
  for (const { value } of context.store.range(STORE, prefixRange(POWER_INDEX_PREFIX, true))) {
    if (count >= maxValidators) return;
    const validator = requireIndexed(context, value);
    if (!isBonded(validator)) continue;
    count += 1;
    yield validator;
  }
}
