/** Parameters of recovery (evmos v3.0.0 `x/recovery/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { fromDuration, toDuration } from '../../comet/time.js';
import { ParamsSchema, type Params } from '../../proto/evmos/recovery/v1/genesis_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { requireUpdate } from '../authority.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

export const STORE = 'recovery';
const PARAMS_KEY = Uint8Array.of(0);
/** Default packet timeout: four hours, in nanoseconds. */
const TIMEOUT = 14_400_000_000_000n;

/** Accessors for the parameters; disabled on a chain without the module. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(ParamsSchema), defaultParams);

/** Default parameters of evmos, but disabled. */
export function defaultParams(): Params {
  return create(ParamsSchema, { enableRecovery: false, packetTimeoutDuration: toDuration(TIMEOUT) });
}

/** Error for invalid parameters; undefined for valid ones. */
export const paramsProblem = ({ packetTimeoutDuration }: Params): string | undefined =>
  fromDuration(packetTimeoutDuration) < 0n ? 'packet timeout duration cannot be negative' : undefined;

/** Updates the parameters; throws unless `authority` is governance and the values are valid. */
export function updateParams(context: Context, authority: string, params: Params): void {
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, params);
}
