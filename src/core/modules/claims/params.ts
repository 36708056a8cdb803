/** Parameters of claims (evmos v3.0.0 `x/claims/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { fromDuration, fromTimestamp, GO_ZERO_TIME, toDuration, toTimestamp } from '../../comet/time.js';
import { toTimeNs, type TimeNs } from '../../primitives.js';
import { ParamsSchema, type Params } from '../../proto/evmos/claims/v1/genesis_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { requireUpdate } from '../authority.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';

export const CLAIMS = 'claims';
export const STORE = 'claims';
const PARAMS_KEY = Uint8Array.of(0);
/** Time until the decay starts, in nanoseconds: 30.4375 days. The decay takes twice as long. */
const UNTIL_DECAY = 2_629_800_000_000_000n;
/** Channel identifier (ICS-24). */
const CHANNEL = /^[a-zA-Z0-9._+\-#[\]<>]{8,64}$/;

export interface ClaimsParams {
  readonly isEnabled: boolean;
  readonly start: TimeNs;
  /** Nanoseconds from the airdrop's start to the decay, and from there to the end. */
  readonly untilDecay: bigint;
  readonly ofDecay: bigint;
  readonly denom: string;
  readonly authorizedChannels: readonly string[];
  readonly evmChannels: readonly string[];
}

/** The parameters; undefined on a chain without the module. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => undefined,
);

/** Updates the parameters; throws unless `authority` is governance and the values are valid. */
export function updateParams(context: Context, authority: string, message: Params): void {
  const params = paramsOfMessage(message);
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, params);
}

/** Default parameters of evmos, but disabled and without its channels. */
export function defaultParams(denom: string): ClaimsParams {
  return {
    isEnabled: false,
    start: GO_ZERO_TIME,
    untilDecay: UNTIL_DECAY,
    ofDecay: 2n * UNTIL_DECAY,
    denom,
    authorizedChannels: [],
    evmChannels: [],
  };
}

/** Converts to evmos' message. */
export function paramsMessage(params: ClaimsParams): Params {
  return create(ParamsSchema, {
    enableClaims: params.isEnabled,
    airdropStartTime: toTimestamp(params.start),
    durationUntilDecay: toDuration(params.untilDecay),
    durationOfDecay: toDuration(params.ofDecay),
    claimsDenom: params.denom,
    authorizedChannels: [...params.authorizedChannels],
    evmChannels: [...params.evmChannels],
  });
}

/** Inverse of `paramsMessage`; an absent start is Go's zero time. */
export function paramsOfMessage(params: Params): ClaimsParams {
  return {
    isEnabled: params.enableClaims,
    start: fromTimestamp(params.airdropStartTime),
    untilDecay: fromDuration(params.durationUntilDecay),
    ofDecay: fromDuration(params.durationOfDecay),
    denom: params.claimsDenom,
    authorizedChannels: params.authorizedChannels,
    evmChannels: params.evmChannels,
  };
}

/** Error for invalid parameters; undefined for valid ones. */
export function paramsProblem(params: ClaimsParams): string | undefined {
  if (params.ofDecay <= 0n) return `duration of decay must be positive: ${params.ofDecay}`;
  if (params.untilDecay <= 0n) return `duration until decay must be positive: ${params.untilDecay}`;
  if (!isValidDenom(params.denom)) return `invalid denom: ${params.denom}`;
  const channel = [...params.authorizedChannels, ...params.evmChannels].find((one) => !CHANNEL.test(one));
  return channel === undefined ? undefined : `invalid channel identifier: ${channel}`;
}

/** Time at which claims begin to decay. */
export const decayStart = ({ start, untilDecay }: ClaimsParams): TimeNs => toTimeNs(start + untilDecay);

/** Time after which nothing can be claimed. */
export const airdropEnd = (params: ClaimsParams): TimeNs => toTimeNs(decayStart(params) + params.ofDecay);

/** True while actions can be claimed. */
export const isActive = (params: ClaimsParams, time: TimeNs): boolean =>
  params.isEnabled && time >= params.start && time <= airdropEnd(params);
