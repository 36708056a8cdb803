/** Parameters of staking (cosmos-sdk v0.53 `x/staking/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { ParamsSchema, type Params } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { PARAMS_KEY, STORE } from './keys.js';
import { fromDuration, toDuration } from '../../comet/time.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';

export interface StakingParams {
  /** Unbonding time in nanoseconds. */
  readonly unbondingTime: bigint;
  readonly maxValidators: number;
  /**
   * Maximum number of concurrent unbondings per delegator and validator, and of redelegations per pair of validators.
   */
  readonly maxEntries: number;
  /** Number of heights whose historical info is kept. */
  readonly historicalEntries: number;
  readonly bondDenom: string;
  /** Minimum commission rate in units of 10^-18. */
  readonly minCommissionRate: bigint;
}

/** The parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => paramsOfMessage(create(ParamsSchema)),
);

/** Converts to the SDK's message; the commission rate becomes the integer string with 18 decimals. */
export function paramsMessage({ unbondingTime, minCommissionRate, ...rest }: StakingParams): Params {
  return create(ParamsSchema, {
    ...rest,
    unbondingTime: create(DurationSchema, toDuration(unbondingTime)),
    minCommissionRate: minCommissionRate.toString(),
  });
}

/** Converts from the SDK's message; a rate that is absent or not an integer becomes zero. */
export function paramsOfMessage(params: Params): StakingParams {
  return {
    unbondingTime: fromDuration(params.unbondingTime),
    maxValidators: params.maxValidators,
    maxEntries: params.maxEntries,
    historicalEntries: params.historicalEntries,
    bondDenom: params.bondDenom,
    minCommissionRate: /^-?[0-9]{1,78}$/.test(params.minCommissionRate) ? BigInt(params.minCommissionRate) : 0n,
  };
}
