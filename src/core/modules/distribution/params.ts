/** Parameters of the distribution of rewards (cosmos-sdk v0.53 `x/distribution/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema, type Params } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { PARAMS_KEY, STORE } from './keys.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';

export interface DistributionParams {
  /** Fraction of each block's fees for the community pool, in units of 10^-18. */
  readonly communityTax: bigint;
  /** True when delegators may set a withdraw address. */
  readonly withdrawAddrEnabled: boolean;
}

/** The SDK's defaults: 2 % for the community pool. */
export const DEFAULT_PARAMS: DistributionParams = { communityTax: DEC_ONE / 50n, withdrawAddrEnabled: true };

/** The parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => paramsOfMessage(create(ParamsSchema)),
);

/** Converts to the SDK's message; its proposer rewards are unused and zero. */
export function paramsMessage({ communityTax, withdrawAddrEnabled }: DistributionParams): Params {
  return create(ParamsSchema, {
    communityTax: communityTax.toString(),
    baseProposerReward: '0',
    bonusProposerReward: '0',
    withdrawAddrEnabled,
  });
}

/** Converts from the SDK's message; an absent tax, which `paramsProblem` rejects, is zero. */
export function paramsOfMessage({ communityTax, withdrawAddrEnabled }: Params): DistributionParams {
  return { communityTax: decOfMessage(communityTax) ?? 0n, withdrawAddrEnabled };
}

/** The SDK's error for an invalid tax; undefined for valid parameters. */
export function paramsProblem({ communityTax }: Params): string | undefined {
  const tax = decOfMessage(communityTax);
  if (tax === undefined) return 'community tax must be not nil';
  if (tax < 0n) return `community tax must be positive: ${formatDec(tax)}`;
  return tax > DEC_ONE ? `community tax too large: ${formatDec(tax)}` : undefined;
}
