/**
 * Periodic allowance: a limit per period, in addition to a basic allowance (cosmossdk.io/x/feegrant v0.2.0
 * `periodic_fee.go`).
 */
import { create } from '@bufbuild/protobuf';
import { fromDuration, fromTimestamp, toTimestamp } from '../../comet/time.js';
import { toTimeNs, type TimeNs } from '../../primitives.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import {
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
  type PeriodicAllowance,
} from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { packAny } from '../../sdk/codec/any.js';
import { safeSubtractCoins } from '../../sdk/coins/coin-sets.js';
import { areValidCoins, formatCoins } from '../../sdk/coins/coins.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Allowance, Used } from './allowance.js';
import { validateBasic, withLimit } from './basic.js';
import { errors } from './errors.js';

/** Creates a periodic allowance. Absent parts are Go's zero values, which are written even when empty. */
export function periodicAllowance(stored: PeriodicAllowance): Allowance {
  const basic = stored.basic ?? create(BasicAllowanceSchema);
  const allowance = {
    basic,
    period: stored.period ?? { seconds: 0n, nanos: 0 },
    periodSpendLimit: stored.periodSpendLimit,
    periodCanSpend: stored.periodCanSpend,
    periodReset: toTimestamp(fromTimestamp(stored.periodReset)),
  };
  const end = basic.expiration && fromTimestamp(basic.expiration);
  const any = packAny(PeriodicAllowanceSchema, create(PeriodicAllowanceSchema, allowance));
  return {
    any,
    end,
    validate: () => validate(create(PeriodicAllowanceSchema, allowance)),
    use: (context, fee) => {
      if (end !== undefined && end < context.time)
        return { kind: 'ended', refusal: new SdkError(errors.expired, 'absolute limit') };
      return use(create(PeriodicAllowanceSchema, allowance), context.time, fee);
    },
  };
}

function use(allowance: PeriodicAllowance, time: TimeNs, fee: readonly Coin[]): Used {
  const { basic = create(BasicAllowanceSchema), period, periodSpendLimit } = allowance;
  const { canSpend, reset } = inPeriod(allowance, time);
  const left = safeSubtractCoins(canSpend, fee);
  if (left === undefined) throw new SdkError(errors.limitExceeded, 'period limit');
  const total = basic.spendLimit.length === 0 ? undefined : safeSubtractCoins(basic.spendLimit, fee);
  if (basic.spendLimit.length > 0 && total === undefined) throw new SdkError(errors.limitExceeded, 'absolute limit');
  if (total?.length === 0) return { kind: 'used up' };
  const changed = create(PeriodicAllowanceSchema, {
    basic: total === undefined ? basic : withLimit(basic, total),
    ...(period && { period }),
    periodSpendLimit,
    periodCanSpend: [...left],
    periodReset: toTimestamp(reset),
  });
  return { kind: 'left', allowance: packAny(PeriodicAllowanceSchema, changed) };
}

/** Remaining limit in the period that contains `time`, and the end of that period. */
function inPeriod(
  { basic, period, periodReset, periodSpendLimit, periodCanSpend }: PeriodicAllowance,
  time: TimeNs,
): { readonly canSpend: readonly Coin[]; readonly reset: TimeNs } {
  const reset = fromTimestamp(periodReset);
  if (time < reset) return { canSpend: periodCanSpend, reset };
  const limit = basic?.spendLimit ?? [];
  const isLess = limit.length > 0 && safeSubtractCoins(limit, periodSpendLimit) === undefined;
  const length = fromDuration(period);
  const next = reset + length;
  return { canSpend: isLess ? limit : periodSpendLimit, reset: toTimeNs(time > next ? time + length : next) };
}

function validate({ basic, period, periodSpendLimit, periodCanSpend }: PeriodicAllowance): void {
  const refuse = (text: string): never => {
    throw new SdkError(sdkErrors.invalidCoins, text);
  };
  if (basic !== undefined) validateBasic(basic);
  if (!areValidCoins(periodSpendLimit)) refuse(`spend amount is invalid: ${formatCoins(periodSpendLimit)}`);
  if (periodSpendLimit.length === 0) refuse('spend limit must be positive');
  if (!areValidCoins(periodCanSpend)) refuse(`can spend amount is invalid: ${formatCoins(periodCanSpend)}`);
  const limit = basic?.spendLimit ?? [];
  const isSubset =
    periodSpendLimit.length <= limit.length &&
    periodSpendLimit.every(({ denom }) => limit.some((one) => one.denom === denom));
  if (limit.length > 0 && !isSubset) refuse('period spend limit has different currency than basic spend limit');
  if (fromDuration(period) < 0n) throw new SdkError(errors.invalidDuration, 'negative clock step');
}
