/** Basic allowance: fees up to an optional limit and expiration (cosmossdk.io/x/feegrant v0.2.0 `basic_fee.go`). */
import { create } from '@bufbuild/protobuf';
import { fromTimestamp } from '../../comet/time.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { BasicAllowanceSchema, type BasicAllowance } from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { packAny } from '../../sdk/codec/any.js';
import { safeSubtractCoins } from '../../sdk/coins/coin-sets.js';
import { areValidCoins, formatCoins } from '../../sdk/coins/coins.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Allowance } from './allowance.js';
import { errors } from './errors.js';

/** Allowance for fees until `expiration` and up to `spendLimit`; an empty limit means no limit. */
export function basicAllowance(allowance: BasicAllowance): Allowance {
  const { expiration, spendLimit } = allowance;
  const end = expiration && fromTimestamp(expiration);
  return {
    any: packAny(BasicAllowanceSchema, allowance),
    end,
    validate: () => validateBasic(allowance),
    use: (context, fee) => {
      if (end !== undefined && end < context.time)
        return { kind: 'ended', refusal: new SdkError(errors.expired, 'basic allowance') };
      if (spendLimit.length === 0) return { kind: 'left', allowance: packAny(BasicAllowanceSchema, allowance) };
      const left = safeSubtractCoins(spendLimit, fee);
      if (left === undefined) throw new SdkError(errors.limitExceeded, 'basic allowance');
      if (left.length === 0) return { kind: 'used up' };
      return { kind: 'left', allowance: packAny(BasicAllowanceSchema, withLimit(allowance, left)) };
    },
  };
}

/** Returns the allowance with another limit. */
export function withLimit({ expiration }: BasicAllowance, spendLimit: readonly Coin[]): BasicAllowance {
  return create(BasicAllowanceSchema, { spendLimit: [...spendLimit], ...(expiration && { expiration }) });
}

/** Validates limit and expiration; throws SdkError. */
export function validateBasic({ expiration, spendLimit }: BasicAllowance): void {
  if (!areValidCoins(spendLimit))
    throw new SdkError(sdkErrors.invalidCoins, `send amount is invalid: ${formatCoins(spendLimit)}`);
  if (expiration !== undefined && expiration.seconds < 0n)
    throw new SdkError(errors.invalidDuration, 'expiration time cannot be negative');
}
