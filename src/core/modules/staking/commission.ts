/** Commission of validators (cosmos-sdk v0.53 `x/staking/types/commission.go`). Rates in units of 10^-18. */
import type { CommissionRates } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { plainError, SdkError } from '../../sdk/module/sdk-error.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import { stakingRules } from './rules.js';
import type { Commission } from './validator.js';
import { NS_PER_SECOND } from '../../primitives.js';

const DAY = 86_400n * NS_PER_SECOND;

/** Commission of a new validator. */
export function initialCommission(context: Context, rates: CommissionRates): Commission {
  const maxRate = requireRate(context, rates.maxRate);
  if (maxRate < 0n) throw new SdkError(stakingErrors.commissionNegative);
  if (maxRate > DEC_ONE) throw new SdkError(stakingErrors.commissionHuge);
  const rate = requireRate(context, rates.rate);
  if (rate < 0n) throw new SdkError(stakingErrors.commissionNegative);
  if (rate > maxRate) throw new SdkError(stakingErrors.commissionAboveMaximum);
  const maxChangeRate = requireRate(context, rates.maxChangeRate);
  if (maxChangeRate < 0n) throw new SdkError(stakingErrors.changeRateNegative);
  if (maxChangeRate > maxRate) throw new SdkError(stakingErrors.changeRateAboveMaximum);
  return { rate, maxRate, maxChangeRate, updateTime: context.time };
}

function requireRate(context: Context, text: string): bigint {
  const rate = decOfMessage(text);
  if (rate === undefined) throw stakingRules.of(context).absentRate();
  return rate;
}

/** Commission with a new rate, which may change once per day by a limited amount. */
export function changedCommission(context: Context, before: Commission, rate: bigint): Commission {
  if (context.time - before.updateTime < DAY) throw new SdkError(stakingErrors.commissionUpdateTime);
  if (rate < 0n) throw new SdkError(stakingErrors.commissionNegative);
  if (rate > before.maxRate) throw new SdkError(stakingErrors.commissionAboveMaximum);
  if (rate - before.rate > before.maxChangeRate) throw new SdkError(stakingErrors.commissionChange);
  const { minCommissionRate } = getParams(context);
  if (rate < minCommissionRate)
    throw plainError(`cannot set validator commission to less than minimum rate of ${formatDec(minCommissionRate)}`);
  return { ...before, rate, updateTime: context.time };
}
