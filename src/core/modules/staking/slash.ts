/** Slashes a validator and its delegators (cosmos-sdk v0.53 `x/staking/keeper/slash.go`). */
import { invariant } from '../../errors.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { DEC_ONE, mulDec, quoDecUp, truncateDec } from '../../sdk/coins/dec.js';
import { unbond } from './delegate.js';
import { getDelegation } from './delegations.js';
import { BONDED_POOL, burnPool, NOT_BONDED_POOL } from './pools.js';
import type { DelegationPath } from './queues.js';
import { type Redelegation, redelegationsFromValidator } from './redelegations.js';
import {
  getUnbonding,
  setUnbonding,
  type UnbondingDelegation,
  unbondingsFromValidator,
} from './unbonding-delegations.js';
import { isBonded, isUnbonded, POWER_REDUCTION } from './validator.js';
import { getValidatorByConsensus, replaceValidator, requireValidator } from './validators.js';
import { min } from '../../bigint.js';

/** An offence at a past or the current height; `power` is the validator's at that height. */
export interface Offence {
  readonly consensus: Uint8Array;
  readonly height: bigint;
  readonly power: bigint;
}

/**
 * Burns a fraction (10^-18) of the tokens that were bonded at the offence, including those that have since started
 * unbonding or redelegated. Returns the burned tokens of the validator itself. Ignores a removed validator and errors
 * in hooks.
 */
export function slash(context: Context, { consensus, height, power }: Offence, fraction: bigint): bigint {
  const amount = truncateDec(mulDec(power * POWER_REDUCTION * DEC_ONE, fraction));
  const validator = getValidatorByConsensus(context, consensus);
  if (validator === undefined) return 0n;
  invariant(!isUnbonded(validator), 'an unbonded validator is not slashed');
  const { operator } = validator;
  const hooks = versionOf(context).hooks.staking;
  for (const { beforeValidatorModified: hook } of hooks)
    if (hook !== undefined) attempt(context, (inner) => hook(inner, operator));

  invariant(height <= context.height, 'no offence lies in the future');
  let remaining = amount;
  if (height < context.height) {
    for (const unbonding of [...unbondingsFromValidator(context, operator)])
      remaining -= slashUnbonding(context, unbonding, height, fraction);
    for (const redelegation of [...redelegationsFromValidator(context, operator)])
      remaining -= slashRedelegation(context, redelegation, height, fraction);
  }
  const burned = min(remaining > 0n ? remaining : 0n, validator.tokens);
  if (burned === 0n) return 0n;
  const effective = quoDecUp(burned * DEC_ONE, validator.tokens * DEC_ONE);
  for (const { beforeValidatorSlashed: hook } of hooks)
    if (hook !== undefined) attempt(context, (inner) => hook(inner, operator, min(effective, DEC_ONE)));
  const after = replaceValidator(context, validator, { ...validator, tokens: validator.tokens - burned });
  burnPool(context, isBonded(after) ? BONDED_POOL : NOT_BONDED_POOL, burned);
  return burned;
}

/**
 * Slashes tokens that started unbonding after the offence; returns the slash amount as if none had been burned
 * before.
 */
function slashUnbonding(context: Context, unbonding: UnbondingDelegation, height: bigint, fraction: bigint): bigint {
  let total = 0n;
  let burned = 0n;
  let entries = unbonding.entries;
  for (const [index, entry] of unbonding.entries.entries()) {
    if (!isLiable(context, entry, height)) continue;
    const amount = truncateDec(fraction * entry.initialBalance);
    total += amount;
    const part = min(amount, entry.balance);
    if (part === 0n) continue;
    burned += part;
    entries = entries.with(index, { ...entry, balance: entry.balance - part });
    setUnbonding(context, { ...unbonding, entries });
  }
  burnPool(context, NOT_BONDED_POOL, burned);
  return total;
}

/**
 * Slashes tokens that were redelegated after the offence at their destination, first those unbonding there; returns
 * the slash amount.
 */
function slashRedelegation(
  context: Context,
  { delegator, destination, entries }: Redelegation,
  height: bigint,
  fraction: bigint,
): bigint {
  let total = 0n;
  let bonded = 0n;
  let notBonded = 0n;
  for (const entry of entries) {
    if (!isLiable(context, entry, height)) continue;
    const amount = truncateDec(fraction * entry.initialBalance);
    total += amount;
    const fromUnbonding = slashMovedOn(context, { delegator, operator: destination }, height, amount);
    notBonded += fromUnbonding;
    const shares = mulDec(fraction, entry.shares);
    if (shares === 0n || fromUnbonding === amount) continue;
    const delegation = getDelegation(context, delegator, destination);
    if (delegation === undefined) continue;
    // Read first: an unbonded validator is removed with its last shares, where the SDK halts the chain.
    const isStillBonded = isBonded(requireValidator(context, destination));
    const tokens = unbond(context, delegator, destination, min(shares, delegation.shares));
    if (isStillBonded) bonded += tokens;
    else notBonded += tokens;
  }
  burnPool(context, BONDED_POOL, bonded);
  burnPool(context, NOT_BONDED_POOL, notBonded);
  return total;
}

/** Burns up to an amount of tokens unbonding at a redelegation's destination; returns the burned sum. */
function slashMovedOn(
  context: Context,
  { delegator, operator }: DelegationPath,
  height: bigint,
  amount: bigint,
): bigint {
  const unbonding = getUnbonding(context, delegator, operator);
  if (unbonding === undefined) return 0n;
  let taken = 0n;
  let entries = unbonding.entries;
  for (const [index, entry] of unbonding.entries.entries()) {
    const part = min(amount - taken, entry.balance);
    if (part === 0n || !isLiable(context, entry, height)) continue;
    taken += part;
    entries = entries.with(index, { ...entry, balance: entry.balance - part });
    setUnbonding(context, { ...unbonding, entries });
  }
  return taken;
}

/** True for an entry created after the offence that is not complete. */
function isLiable(
  { time }: Context,
  entry: Pick<UnbondingDelegation['entries'][number], 'creationHeight' | 'completionTime' | 'onHold'>,
  height: bigint,
): boolean {
  return entry.creationHeight >= height && (entry.completionTime > time || entry.onHold > 0n);
}
