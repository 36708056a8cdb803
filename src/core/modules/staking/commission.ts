/** Rules of a validator's commission (cosmos-sdk v0.53 `x/staking/types/commission.go`). Rates have 18 decimals. */
import type { TimeNs } from '../../primitives.js';
import type { CommissionRates } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { Context } from '../../sdk/context.js';
import { DEC_ONE, formatDec } from '../../sdk/dec.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import type { Commission } from './validator.js';

const DAY = 86_400n * 1_000_000_000n;

/** A decimal of a message: an integer as text that counts 10^-18. SDK error 2 for other texts. */
export function decOfMessage(text: string): bigint {
  if (!/^-?[0-9]{1,95}$/.test(text)) throw new SdkError(sdkErrors.txDecode, `not a decimal: ${text}`);
  return BigInt(text);
}

/** The commission of a new validator. */
export function initialCommission(rates: CommissionRates, time: TimeNs): Commission {
  const [rate, maxRate, maxChangeRate] = [rates.rate, rates.maxRate, rates.maxChangeRate].map(decOfMessage);
  const commission = {
    rate: rate ?? 0n,
    maxRate: maxRate ?? 0n,
    maxChangeRate: maxChangeRate ?? 0n,
    updateTime: time,
  };
  if (commission.maxRate < 0n) throw new SdkError(stakingErrors.commissionNegative);
  if (commission.maxRate > DEC_ONE) throw new SdkError(stakingErrors.commissionHuge);
  if (commission.rate < 0n) throw new SdkError(stakingErrors.commissionNegative);
  if (commission.rate > commission.maxRate) throw new SdkError(stakingErrors.commissionAboveMaximum);
  if (commission.maxChangeRate < 0n) throw new SdkError(stakingErrors.changeRateNegative);
  if (commission.maxChangeRate > commission.maxRate) throw new SdkError(stakingErrors.changeRateAboveMaximum);
  return commission;
}

/** A commission with another rate, which may change once a day and by a limited step. */
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
