/** Parameter updates by governance (cosmos-sdk v0.53 `x/staking/types/params.go`, Validate). */
import { create } from '@bufbuild/protobuf';
import { Msg } from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { ParamsSchema } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { message } from '../../sdk/module/module.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { requireGovernance } from '../authority.js';
import { paramsOfMessage, setParams, type StakingParams } from './params.js';

/** The SDK's error for invalid parameters; undefined for valid ones. */
export function paramsProblem(params: StakingParams): string | undefined {
  const { unbondingTime, maxValidators, maxEntries, bondDenom, minCommissionRate } = params;
  if (unbondingTime <= 0n) return `unbonding time must be positive: ${unbondingTime}`;
  if (maxValidators === 0) return 'max validators must be positive: 0';
  if (maxEntries === 0) return 'max entries must be positive: 0';
  if (isBlank(bondDenom)) return 'bond denom cannot be blank';
  if (!isValidDenom(bondDenom)) return `invalid denom: ${bondDenom}`;
  if (minCommissionRate < 0n) return `minimum commission rate cannot be negative: -${formatDec(-minCommissionRate)}`;
  if (minCommissionRate > DEC_ONE)
    return `minimum commission rate cannot be greater than 100%: ${formatDec(minCommissionRate)}`;
  return undefined;
}

export const updateParams = message(Msg, 'updateParams', (context, { authority, params }) => {
  requireGovernance(context, authority);
  const next = paramsOfMessage(params ?? create(ParamsSchema));
  const problem = paramsProblem(next);
  if (problem !== undefined) throw plainError(problem);
  setParams(context, next);
});
