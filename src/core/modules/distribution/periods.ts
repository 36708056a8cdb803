/**
 * Reward periods of a validator, in which its tokens do not change. The end of each period stores the cumulative
 * rewards per token, while a delegation or slash refers to it (cosmos-sdk v0.53
 * `x/distribution/keeper/validator.go`).
 */
import { invariant } from '../../errors.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { addDecCoins, quoDecCoinsTruncate, subtractDecCoins, type DecCoins } from '../../sdk/coins/dec-coins.js';
import type { Validator } from '../staking/validator.js';
import { requireValidator } from '../staking/validators.js';
import { getCommunityPool, setCommunityPool } from './community-pool.js';
import {
  changeHistorical,
  getCurrent,
  getHistorical,
  getOutstanding,
  setCommission,
  setCurrent,
  setHistorical,
  setOutstanding,
  type CurrentRewards,
} from './records.js';
import { setSlashEvent } from './slash-events.js';

/** Starts the first periods of a new validator. */
export function startPeriods(context: Context, operator: Uint8Array): void {
  setHistorical(context, operator, 0n, { ratio: [], references: 1 });
  setCurrent(context, operator, { rewards: [], period: 1n });
  setCommission(context, operator, []);
  setOutstanding(context, operator, []);
}

/** Ends the current period and returns its number. */
export function endPeriod(context: Context, { operator, tokens }: Pick<Validator, 'operator' | 'tokens'>): bigint {
  const current = getCurrent(context, operator);
  const ratio =
    tokens === 0n
      ? unclaimedRewards(context, operator, current)
      : quoDecCoinsTruncate(current.rewards, tokens * DEC_ONE);
  const previous = getHistorical(context, operator, current.period - 1n);
  removeReference(context, operator, current.period - 1n);
  setHistorical(context, operator, current.period, { ratio: addDecCoins(previous.ratio, ratio), references: 1 });
  setCurrent(context, operator, { rewards: [], period: current.period + 1n });
  return current.period;
}

/** Gives the rewards of a validator without tokens to the community pool. */
function unclaimedRewards(context: Context, operator: Uint8Array, { rewards }: CurrentRewards): DecCoins {
  const pool = getCommunityPool(context);
  const outstanding = getOutstanding(context, operator);
  setCommunityPool(context, addDecCoins(pool, rewards));
  setOutstanding(context, operator, subtractDecCoins(outstanding, rewards));
  return [];
}

/** Adds a reference to the end of `period`; throws for more than two. */
export function addReference(context: Context, operator: Uint8Array, period: bigint): void {
  changeHistorical(context, operator, period, ({ ratio, references: before }) => {
    const references = before + 1;
    invariant(references <= 2, 'reference count should never exceed 2');
    return { ratio, references };
  });
}

/** Removes a reference; deletes the period with its last one. */
export function removeReference(context: Context, operator: Uint8Array, period: bigint): void {
  changeHistorical(context, operator, period, ({ ratio, references: before }) => {
    invariant(before > 0, 'cannot set negative reference count');
    const references = before - 1;
    return references === 0 ? undefined : { ratio, references };
  });
}

/** Ends the current period before a slash; `fraction` of the tokens in units of 10^-18. */
export function recordSlash(context: Context, operator: Uint8Array, fraction: bigint): void {
  invariant(fraction >= 0n && fraction <= DEC_ONE, 'a slash takes a part of the tokens');
  const period = endPeriod(context, requireValidator(context, operator));
  addReference(context, operator, period);
  setSlashEvent(context, { operator, height: context.height, period, fraction });
}
