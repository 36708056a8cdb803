/**
 * Parameters of incentives (evmos v3.0.0 `x/incentives/types/params.go`). Decimals are strings in units of 10^-18.
 */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema, type Params } from '../../proto/evmos/incentives/v1/genesis_pb.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { Context } from '../../sdk/module/context.js';
import { requireUpdate } from '../authority.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

export const INCENTIVES = 'incentives';
export const STORE = 'incentives';
const PARAMS_KEY = Uint8Array.of(0);

/** The parameters; undefined on a chain without the module. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(ParamsSchema), () => undefined);

/** Updates the parameters; throws unless `authority` is governance and the values are valid. */
export function updateParams(context: Context, authority: string, params: Params): void {
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, params);
}

/** Default parameters of evmos: at most 5 % of the pool per incentive, paid weekly, at most 1.2 times the gas. */
export function defaultParams(): Params {
  return create(ParamsSchema, {
    enableIncentives: true,
    allocationLimit: (DEC_ONE / 20n).toString(),
    incentivesEpochIdentifier: 'week',
    rewardScaler: ((DEC_ONE * 12n) / 10n).toString(),
  });
}

/** Decodes a decimal of a message; absent is zero. */
export const dec = (text: string): bigint => decOfMessage(text) ?? 0n;

/** Error for invalid parameters; undefined for valid ones. */
export function paramsProblem({ allocationLimit, rewardScaler, ...rest }: Params): string | undefined {
  for (const value of [dec(allocationLimit), dec(rewardScaler)])
    if (value < 0n) return `allocation limit must be positive: ${formatDec(value)}`;
  if (dec(allocationLimit) > DEC_ONE) return `allocation limit must <= 100: ${formatDec(dec(allocationLimit))}`;
  return isBlank(rest.incentivesEpochIdentifier) ? 'blank epoch identifier: ' : undefined;
}
