/** Redelegations to another validator (cosmos-sdk v0.53 `x/staking/keeper/delegation.go` BeginRedelegation). */
import { equal } from '../../bytes/bytes.js';
import { GO_ZERO_TIME } from '../../comet/time.js';
import { type TimeNs, toTimeNs } from '../../primitives.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { delegate, poolOf, unbond } from './delegate.js';
import { stakingErrors } from './errors.js';
import { stakingRules } from './rules.js';
import { getParams } from './params.js';
import { queueRedelegation } from './queues.js';
import {
  addRedelegationEntry,
  getRedelegation,
  hasRedelegationTo,
  type RedelegationPath,
  setOrRemoveRedelegation,
} from './redelegations.js';
import { deleteUnbondingIndex } from './unbonding-ids.js';
import { BondStatus } from './validator.js';
import { getValidator } from './validators.js';

/** Moves shares to the destination; returns the time until which they can be slashed for the source's misbehavior. */
export function redelegate(context: Context, path: RedelegationPath, shares: bigint): TimeNs {
  const { delegator, source, destination } = path;
  if (equal(source, destination)) throw new SdkError(stakingErrors.selfRedelegation);
  const to = getValidator(context, destination);
  if (to === undefined) throw new SdkError(stakingErrors.badRedelegationDestination);
  const from = getValidator(context, source);
  if (from === undefined) throw new SdkError(stakingErrors.badRedelegationDestination);
  if (hasRedelegationTo(context, delegator, source)) throw new SdkError(stakingErrors.transitiveRedelegation);
  const before = getRedelegation(context, path);
  if (before !== undefined && before.entries.length >= getParams(context).maxEntries)
    throw new SdkError(stakingErrors.maxRedelegationEntries);
  const amount = unbond(context, delegator, source, shares);
  if (amount === 0n) throw new SdkError(stakingErrors.tinyRedelegation);
  const newShares = delegate(context, delegator, amount, poolOf(from), to);
  stakingRules.of(context).requireValidatorLeft(context);
  const end = endOfLiability(context, source);
  if (end === undefined) return GO_ZERO_TIME;
  const { completionTime, height } = end;
  addRedelegationEntry(context, path, {
    creationHeight: height,
    completionTime,
    initialBalance: amount,
    shares: newShares,
  });
  queueRedelegation(context, completionTime, path);
  return completionTime;
}

/**
 * Completion time of a redelegation; undefined when the source is unbonded, because nothing can be slashed then.
 * Throws when the source was removed with its last shares.
 */
function endOfLiability(
  context: Context,
  source: Uint8Array,
): { readonly completionTime: TimeNs; readonly height: bigint } | undefined {
  const validator = getValidator(context, source);
  if (validator === undefined) throw new SdkError(stakingErrors.noValidator);
  const { unbondingTime } = getParams(context);
  if (validator.status === BondStatus.UNBONDED) return undefined;
  if (validator.status === BondStatus.UNBONDING)
    return { completionTime: validator.unbondingTime, height: validator.unbondingHeight };
  return { completionTime: toTimeNs(context.time + unbondingTime), height: context.height };
}

/** Completes entries that are due and returns the sum of their moved tokens; undefined when there are none. */
export function completeRedelegation(context: Context, path: RedelegationPath): bigint | undefined {
  const redelegation = getRedelegation(context, path);
  if (redelegation === undefined) return undefined;
  const isDue = (entry: (typeof redelegation.entries)[number]): boolean =>
    entry.completionTime <= context.time && entry.onHold === 0n;
  let sum = 0n;
  for (const { id, initialBalance } of redelegation.entries.filter(isDue)) {
    deleteUnbondingIndex(context, id);
    sum += initialBalance;
  }
  setOrRemoveRedelegation(context, {
    ...redelegation,
    entries: redelegation.entries.filter((entry) => !isDue(entry)),
  });
  return sum;
}
