/**
 * Status transitions of validators: bonded, unbonding, unbonded (cosmos-sdk v0.53
 * `x/staking/keeper/val_state_change.go`).
 */
import { invariant } from '../../errors.js';
import { toTimeNs } from '../../primitives.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { byConsensusKey, STORE, validatorKey } from './keys.js';
import { getParams } from './params.js';
import { dueValidators, queueValidator, unqueueValidator } from './queues.js';
import { deleteUnbondingIndex, indexUnbonding, nextUnbondingId } from './unbonding-ids.js';
import { BondStatus, consensusAddressOf, isBonded, isUnbonded, isUnbonding, type Validator } from './validator.js';
import { deleteByPower, replaceValidator, requireValidator, setByPower, setValidator } from './validators.js';

/** Bonds a validator: adds it to the validator set. */
export function bondValidator(context: Context, validator: Validator): Validator {
  const bonded = replaceValidator(context, validator, { ...validator, status: BondStatus.BONDED });
  unqueueValidator(context, bonded);
  const consensus = consensusAddressOf(context.crypto, bonded);
  for (const { afterValidatorBonded } of versionOf(context).hooks.staking)
    afterValidatorBonded?.(context, consensus, bonded.operator);
  return bonded;
}

/** Starts unbonding a validator: removes it from the validator set. */
export function beginUnbonding(context: Context, validator: Validator): Validator {
  const { unbondingTime } = getParams(context);
  deleteByPower(context, validator);
  invariant(isBonded(validator), 'a bonded validator begins to unbond');
  const id = nextUnbondingId(context);
  const unbonding: Validator = {
    ...validator,
    status: BondStatus.UNBONDING,
    unbondingTime: toTimeNs(context.time + unbondingTime),
    unbondingHeight: context.height,
    unbondingIds: [...validator.unbondingIds, id],
  };
  setValidator(context, unbonding);
  setByPower(context, unbonding);
  queueValidator(context, unbonding);
  const consensus = consensusAddressOf(context.crypto, unbonding);
  for (const { afterValidatorBeginUnbonding } of versionOf(context).hooks.staking)
    afterValidatorBeginUnbonding?.(context, consensus, unbonding.operator);
  indexUnbonding(context, id, 'validator', validatorKey(unbonding.operator));
  for (const { afterUnbondingInitiated } of versionOf(context).hooks.staking) afterUnbondingInitiated?.(context, id);
  return unbonding;
}

/** Completes the unbonding of validators that are due; removes those without delegations. */
export function completeUnbondings(context: Context): void {
  for (const operator of dueValidators(context).flatMap(({ operators }) => operators)) {
    const validator = requireValidator(context, operator);
    invariant(isUnbonding(validator), 'the queue holds unbonding validators');
    if (validator.onHold !== 0n) continue;
    for (const id of validator.unbondingIds) deleteUnbondingIndex(context, id);
    const unbonded = { ...validator, status: BondStatus.UNBONDED };
    setValidator(context, unbonded);
    if (unbonded.shares === 0n) removeValidator(context, operator);
    unqueueValidator(context, unbonded);
  }
}

/** Deletes an unbonded validator without tokens. An error in a hook is ignored. */
export function removeValidator(context: Context, operator: Uint8Array): void {
  const validator = requireValidator(context, operator);
  invariant(isUnbonded(validator) && validator.tokens === 0n, 'an unbonded validator without tokens is removed');
  const consensus = consensusAddressOf(context.crypto, validator);
  context.store.delete(STORE, validatorKey(operator));
  context.store.delete(STORE, byConsensusKey(consensus));
  deleteByPower(context, validator);
  for (const { afterValidatorRemoved: hook } of versionOf(context).hooks.staking)
    if (hook !== undefined) attempt(context, (inner) => hook(inner, consensus, operator));
}
