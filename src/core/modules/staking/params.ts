/** Parameters of staking (cosmos-sdk v0.53 `x/staking/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { ParamsSchema, type Params } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { PARAMS_KEY, STORE } from './keys.js';
import { fromDuration, toDuration } from '../../comet/time.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';

export interface StakingParams {
  /** Duration of an unbonding, nanoseconds. */
  readonly unbondingTime: bigint;
  readonly maxValidators: number;
  /** Unbondings of one delegator from one validator, and redelegations between two, at the same time. */
  readonly maxEntries: number;
  /** Heights whose historical info is kept. */
  readonly historicalEntries: number;
  readonly bondDenom: string;
  /** With 18 decimals. */
  readonly minCommissionRate: bigint;
}

/** The parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => paramsOfMessage(create(ParamsSchema)),
);

/** Converts to the message of the SDK; the commission rate becomes the integer text with 18 decimals. */
export function paramsMessage({ unbondingTime, minCommissionRate, ...rest }: StakingParams): Params {
  return create(ParamsSchema, {
    ...rest,
    unbondingTime: create(DurationSchema, toDuration(unbondingTime)),
    minCommissionRate: minCommissionRate.toString(),
  });
}

/** A rate that is no integer counts as zero, as absent ones do. */
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
