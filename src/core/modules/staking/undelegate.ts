/** Undelegation (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`). */
import { type TimeNs, toTimeNs } from '../../primitives.js';
import type { Context } from '../../sdk/module/context.js';
import { invalidRequest, SdkError } from '../../sdk/module/sdk-error.js';
import { undelegateCoins } from '../bank/delegate.js';
import { unbond } from './delegate.js';
import { getDelegation } from './delegations.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import { bondCoins, BONDED_POOL, movePool, NOT_BONDED_POOL } from './pools.js';
import { type DelegationPath, queueUnbonding } from './queues.js';
import { stakingRules } from './rules.js';
import { sharesFromTokensTruncated } from './shares.js';
import { addUnbondingEntry, getUnbonding, setOrRemoveUnbonding } from './unbonding-delegations.js';
import { deleteUnbondingIndex } from './unbonding-ids.js';
import { isBonded } from './validator.js';
import { requireValidator } from './validators.js';

/** Shares that correspond to an amount, at most the complete delegation; throws when the amount exceeds it. */
export function sharesToUnbond(context: Context, delegator: Uint8Array, operator: Uint8Array, amount: bigint): bigint {
  const validator = requireValidator(context, operator);
  const delegation = getDelegation(context, delegator, operator);
  if (delegation === undefined) throw new SdkError(stakingErrors.noDelegation);
  const shares = stakingRules.of(context).sharesOf(validator, amount);
  if (sharesFromTokensTruncated(validator, amount) > delegation.shares) throw invalidRequest('invalid shares amount');
  return shares > delegation.shares ? delegation.shares : shares;
}

/** Starts unbonding shares; the tokens return at `completionTime`. */
export function undelegate(
  context: Context,
  delegator: Uint8Array,
  operator: Uint8Array,
  shares: bigint,
): { readonly completionTime: TimeNs; readonly amount: bigint } {
  const validator = requireValidator(context, operator);
  const entries = getUnbonding(context, delegator, operator)?.entries.length ?? 0;
  if (entries >= getParams(context).maxEntries) throw new SdkError(stakingErrors.maxUnbondingEntries);
  const amount = unbond(context, delegator, operator, shares);
  stakingRules.of(context).requireValidatorLeft(context);
  if (isBonded(validator)) movePool(context, BONDED_POOL, amount);
  const completionTime = toTimeNs(context.time + getParams(context).unbondingTime);
  addUnbondingEntry(context, delegator, operator, completionTime, amount);
  queueUnbonding(context, completionTime, { delegator, operator });
  return { completionTime, amount };
}

/** Pays entries that are due and returns their sum; undefined when there are none. */
export function completeUnbonding(context: Context, { delegator, operator }: DelegationPath): bigint | undefined {
  const unbonding = getUnbonding(context, delegator, operator);
  if (unbonding === undefined) return undefined;
  const isDue = (entry: (typeof unbonding.entries)[number]): boolean =>
    entry.completionTime <= context.time && entry.onHold === 0n;
  let sum = 0n;
  for (const { id, balance } of unbonding.entries.filter(isDue)) {
    deleteUnbondingIndex(context, id);
    if (balance > 0n) undelegateCoins(context, NOT_BONDED_POOL, delegator, bondCoins(context, balance));
    sum += balance;
  }
  setOrRemoveUnbonding(context, { ...unbonding, entries: unbonding.entries.filter((entry) => !isDue(entry)) });
  return sum;
}
