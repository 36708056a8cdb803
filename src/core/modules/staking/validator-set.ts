/**
 * Computes the next validator set (cosmos-sdk v0.53 `x/staking/keeper/val_state_change.go`,
 * ApplyAndReturnValidatorSetUpdates).
 */
import { create } from '@bufbuild/protobuf';
import { compare } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import { invariant } from '../../errors.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../proto/tendermint/abci/types_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { cometKey, consensusKeyOf } from './addresses.js';
import { deleteLastPower, lastPowers, setLastPower, setLastTotalPower, setValidatorUpdates } from './last-powers.js';
import { getParams } from './params.js';
import { BONDED_POOL, movePool, NOT_BONDED_POOL } from './pools.js';
import { beginUnbonding, bondValidator } from './status.js';
import { isBonded, potentialPower, type Validator } from './validator.js';
import { requireValidator, validatorsByPower } from './validators.js';

/** Validator update for CometBFT; power zero removes the validator. */
export function validatorUpdate({ consensusKey }: Validator, power: bigint): ValidatorUpdate {
  const key = consensusKeyOf(consensusKey);
  invariant(key !== undefined, 'a validator without a consensus key');
  return create(ValidatorUpdateSchema, { pubKey: cometKey(key), power });
}

/**
 * Bonds the validators with the greatest powers, starts unbonding those that dropped out, moves their tokens between
 * the pools, and returns the validator updates.
 */
export function updateValidatorSet(context: Context): readonly ValidatorUpdate[] {
  const { maxValidators } = getParams(context);
  const last = new Map(Array.from(lastPowers(context), (one) => [hex(one.operator), one]));
  const updates: ValidatorUpdate[] = [];
  let totalPower = 0n;
  let newlyBonded = 0n;
  let count = 0;
  for (const validator of validatorsByPower(context)) {
    const power = potentialPower(validator);
    if (count >= maxValidators || power === 0n) break;
    invariant(!validator.jailed, 'a jailed validator has no place among the powers');
    if (!isBonded(validator)) {
      bondValidator(context, validator);
      newlyBonded += validator.tokens;
    }
    const name = hex(validator.operator);
    if (last.get(name)?.power !== power) {
      updates.push(validatorUpdate(validator, power));
      setLastPower(context, validator.operator, power);
    }
    last.delete(name);
    count += 1;
    totalPower += power;
  }
  for (const { operator } of [...last.values()].sort((a, b) => compare(a.operator, b.operator))) {
    const validator = beginUnbonding(context, requireValidator(context, operator));
    newlyBonded -= validator.tokens;
    deleteLastPower(context, operator);
    updates.push(validatorUpdate(validator, 0n));
  }
  if (newlyBonded > 0n) movePool(context, NOT_BONDED_POOL, newlyBonded);
  if (newlyBonded < 0n) movePool(context, BONDED_POOL, -newlyBonded);
  if (updates.length > 0) setLastTotalPower(context, totalPower);
  setValidatorUpdates(context, updates);
  return updates;
}
