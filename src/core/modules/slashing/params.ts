/** Parameters of slashing (cosmos-sdk v0.53 `x/slashing/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { utf8 } from '../../bytes/bytes.js';
import { ParamsSchema, type Params } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { DEC_ONE, formatDec, roundDec } from '../../sdk/coins/dec.js';
import { goDuration } from '../../sdk/go/go-duration.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { PARAMS_KEY, STORE } from './keys.js';
import { fromDuration, toDuration } from '../../comet/time.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';
import { NS_PER_SECOND } from '../../primitives.js';

/** Parameters; decimals in units of 10^-18. */
export interface SlashingParams {
  /** Length of the sliding window, in blocks. */
  readonly signedBlocksWindow: bigint;
  /** Minimum fraction of blocks to sign within the window. */
  readonly minSignedPerWindow: bigint;
  /** Jail time after too many missed blocks, in nanoseconds. */
  readonly downtimeJailDuration: bigint;
  /** Fraction of tokens slashed for double signing. */
  readonly slashFractionDoubleSign: bigint;
  readonly slashFractionDowntime: bigint;
}

/** Default parameters of the SDK. */
export const DEFAULT_PARAMS: SlashingParams = {
  signedBlocksWindow: 100n,
  minSignedPerWindow: DEC_ONE / 2n,
  downtimeJailDuration: 600n * NS_PER_SECOND,
  slashFractionDoubleSign: DEC_ONE / 20n,
  slashFractionDowntime: DEC_ONE / 100n,
};

/** The parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => paramsOfMessage(create(ParamsSchema)),
);

/** Converts to the SDK's message, whose decimals are bytes. */
export function paramsMessage(params: SlashingParams): Params {
  const { downtimeJailDuration } = params;
  return create(ParamsSchema, {
    signedBlocksWindow: params.signedBlocksWindow,
    minSignedPerWindow: utf8(params.minSignedPerWindow.toString()),
    downtimeJailDuration: create(DurationSchema, toDuration(downtimeJailDuration)),
    slashFractionDoubleSign: utf8(params.slashFractionDoubleSign.toString()),
    slashFractionDowntime: utf8(params.slashFractionDowntime.toString()),
  });
}

/** Converts from the SDK's message; absent decimals, which `paramsProblem` rejects, are zero. */
export function paramsOfMessage(params: Params): SlashingParams {
  return {
    signedBlocksWindow: params.signedBlocksWindow,
    minSignedPerWindow: decOfMessage(params.minSignedPerWindow) ?? 0n,
    downtimeJailDuration: fromDuration(params.downtimeJailDuration),
    slashFractionDoubleSign: decOfMessage(params.slashFractionDoubleSign) ?? 0n,
    slashFractionDowntime: decOfMessage(params.slashFractionDowntime) ?? 0n,
  };
}

/** The SDK's error for invalid parameters; undefined for valid ones. */
export function paramsProblem(params: Params): string | undefined {
  const { signedBlocksWindow, downtimeJailDuration } = paramsOfMessage(params);
  if (signedBlocksWindow <= 0n) return `signed blocks window must be positive: ${signedBlocksWindow}`;
  const problem = fractionProblem('min signed per window', params.minSignedPerWindow);
  if (problem !== undefined) return problem;
  if (downtimeJailDuration <= 0n)
    return `downtime jail duration must be positive: ${downtimeJailDuration === 0n ? '0s' : goDuration(downtimeJailDuration)}`;
  return (
    fractionProblem('double sign slash fraction', params.slashFractionDoubleSign) ??
    fractionProblem('downtime slash fraction', params.slashFractionDowntime)
  );
}

function fractionProblem(name: string, bytes: Uint8Array): string | undefined {
  const fraction = decOfMessage(bytes);
  if (fraction === undefined) return `${name} cannot be nil: <nil>`;
  if (fraction < 0n) return `${name} cannot be negative: ${formatDec(fraction)}`;
  return fraction > DEC_ONE ? `${name} too large: ${formatDec(fraction)}` : undefined;
}

/** Maximum number of blocks in the window that a validator may miss. */
export function maxMissedBlocks({ signedBlocksWindow, minSignedPerWindow }: SlashingParams): bigint {
  return signedBlocksWindow - roundDec(minSignedPerWindow * signedBlocksWindow);
}
