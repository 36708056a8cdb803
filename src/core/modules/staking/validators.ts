/**
 * Stored validators: by operator, by consensus address, and by power (cosmos-sdk v0.53
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

/** Reads a validator; staking error 3 when there is none. */
export function requireValidator(context: Context, operator: Uint8Array): Validator {
  return requireStored(context, operator).validator;
}

/** Reads a validator with its encoded bytes; staking error 3 when there is none. */
export function requireStored(
  context: Context,
  operator: Uint8Array,
): { readonly value: Uint8Array; readonly validator: Validator } {
  const key = validatorKey(operator);
  const value = context.store.get(STORE, key);
  if (value === undefined) throw new SdkError(stakingErrors.noValidator);
  return { value, validator: records.decode(context, key, value) };
}

/** Reads a validator by consensus address. */
export function getValidatorByConsensus(context: Context, consensus: Uint8Array): Validator | undefined {
  const operator = context.store.get(STORE, byConsensusKey(consensus));
  return operator === undefined ? undefined : getValidator(context, operator);
}

/** Stores a validator; index entries by consensus address and power are separate. */
export function setValidator(context: Context, validator: Validator): void {
  records.set(context, validatorKey(validator.operator), validator);
}

/** Stores the index entry from consensus address to operator. */
export function setValidatorByConsensus(context: Context, validator: Validator): void {
  context.store.set(STORE, byConsensusKey(consensusAddressOf(context.crypto, validator)), validator.operator);
}

const indexKey = (validator: Validator): Uint8Array => powerIndexKey(potentialPower(validator), validator.operator);

/** Adds the validator to the power index, unless it is jailed. */
export function setByPower(context: Context, validator: Validator): void {
  if (!validator.jailed) context.store.set(STORE, indexKey(validator), validator.operator);
}

/** Removes the validator from the power index; `validator` must have the tokens of the entry. */
export function deleteByPower(context: Context, validator: Validator): void {
  context.store.delete(STORE, indexKey(validator));
}

/**
 * Stores a changed validator and updates the power index. The entry is deleted and written even if it does not
 * change.
 */
export function replaceValidator(context: Context, before: Validator, after: Validator): Validator {
  const place = indexKey(before);
  context.store.delete(STORE, place);
  setValidator(context, after);
  const stays = potentialPower(before) === potentialPower(after);
  if (!after.jailed) context.store.set(STORE, stays ? place : indexKey(after), after.operator);
  return after;
}

/** All validators, ordered by operator. */
export function* allValidators(context: Context): Iterable<Validator> {
  for (const { key, value } of context.store.range(STORE, prefixRange(VALIDATOR_PREFIX)))
    yield records.decode(context, key, value);
}

/** Validators that are not jailed, greatest power first. */
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
 * Bonded validators, greatest power first, at most as many as the parameters allow; reads none beyond them
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
