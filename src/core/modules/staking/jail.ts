/** Jails and unjails validators (cosmos-sdk v0.53 `x/staking/keeper/slash.go`, `val_state_change.go`). */
import { invariant } from '../../errors.js';
import type { Context } from '../../sdk/module/context.js';
import type { Validator } from './validator.js';
import { deleteByPower, getValidatorByConsensus, setByPower, setValidator } from './validators.js';

/** Jails a validator and removes it from the power index; end block unbonds it. */
export function jailValidator(context: Context, validator: Validator): Validator {
  invariant(!validator.jailed, 'a jailed validator is jailed');
  const jailed = { ...validator, jailed: true };
  setValidator(context, jailed);
  deleteByPower(context, jailed);
  return jailed;
}

/** Jails the validator with this consensus address, which must exist and not be jailed. */
export function jail(context: Context, consensus: Uint8Array): void {
  const validator = getValidatorByConsensus(context, consensus);
  invariant(validator !== undefined, 'a validator to jail');
  jailValidator(context, validator);
}

/** Unjails the validator with this consensus address, which must exist and be jailed. */
export function unjail(context: Context, consensus: Uint8Array): void {
  const validator = getValidatorByConsensus(context, consensus);
  invariant(validator?.jailed === true, 'a jailed validator to free');
  const free = { ...validator, jailed: false };
  setValidator(context, free);
  setByPower(context, free);
}
