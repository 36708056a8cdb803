/** Delegates and unbonds tokens (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`, Delegate, Unbond). */
import { equal } from '../../bytes/bytes.js';
import { formatDec, truncateDec } from '../../sdk/coins/dec.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { delegateCoins } from '../bank/delegate.js';
import { getDelegation, removeDelegation, setDelegation } from './delegations.js';
import { stakingErrors } from './errors.js';
import { jailValidator } from './jail.js';
import { bondCoins, BONDED_POOL, movePool, NOT_BONDED_POOL, requirePowerWithinLimit, type BondPool } from './pools.js';
import { hasNoExchangeRate, tokensFromShares, withoutShares, withTokens } from './shares.js';
import { removeValidator } from './status.js';
import { isBonded, isUnbonded, type Validator } from './validator.js';
import { replaceValidator, requireValidator } from './validators.js';

/** Where the tokens come from: the delegator's account, or a pool. */
export type TokenSource = 'account' | BondPool;

/** Pool that holds a validator's tokens. */
export const poolOf = (validator: Validator): BondPool => (isBonded(validator) ? BONDED_POOL : NOT_BONDED_POOL);

/** Delegates tokens and returns the new shares. `validator` must equal the stored one. */
export function delegate(
  context: Context,
  delegator: Uint8Array,
  amount: bigint,
  source: TokenSource,
  validator: Validator,
): bigint {
  if (hasNoExchangeRate(validator)) throw new SdkError(stakingErrors.noExchangeRate);
  const { operator } = validator;
  const before = getDelegation(context, delegator, operator);
  for (const hooks of versionOf(context).hooks.staking) {
    if (before === undefined) hooks.beforeDelegationCreated?.(context, delegator, operator);
    else hooks.beforeDelegationSharesModified?.(context, delegator, operator);
  }
  const pool = poolOf(validator);
  if (source === 'account') {
    delegateCoins(context, delegator, pool, bondCoins(context, amount));
    requirePowerWithinLimit(context);
  } else if (source !== pool) movePool(context, source, amount);

  const { validator: after, shares } = withTokens(validator, amount);
  replaceValidator(context, validator, after);
  setDelegation(context, { delegator, operator, shares: (before?.shares ?? 0n) + shares });
  for (const { afterDelegationModified } of versionOf(context).hooks.staking)
    afterDelegationModified?.(context, delegator, operator);
  return shares;
}

/**
 * Removes shares of a delegation and returns their tokens, which stay in the pool. Jails an operator whose
 * self-delegation falls below its minimum.
 */
export function unbond(context: Context, delegator: Uint8Array, operator: Uint8Array, shares: bigint): bigint {
  const before = getDelegation(context, delegator, operator);
  if (before === undefined) throw new SdkError(stakingErrors.noDelegatorForAddress);
  for (const { beforeDelegationSharesModified } of versionOf(context).hooks.staking)
    beforeDelegationSharesModified?.(context, delegator, operator);
  if (before.shares < shares) throw new SdkError(stakingErrors.notEnoughShares, formatDec(before.shares));
  let validator = requireValidator(context, operator);
  const left = { ...before, shares: before.shares - shares };
  if (
    equal(delegator, operator) &&
    !validator.jailed &&
    truncateDec(tokensFromShares(validator, left.shares)) < validator.minSelfDelegation
  ) {
    jailValidator(context, validator);
    validator = requireValidator(context, operator);
  }
  if (left.shares === 0n) {
    removeDelegation(context, left);
  } else {
    setDelegation(context, left);
    for (const { afterDelegationModified } of versionOf(context).hooks.staking)
      afterDelegationModified?.(context, delegator, operator);
  }
  const { validator: after, tokens } = withoutShares(validator, shares);
  replaceValidator(context, validator, after);
  if (after.shares === 0n && isUnbonded(after)) removeValidator(context, operator);
  return tokens;
}
