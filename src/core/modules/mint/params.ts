/** Parameters of inflation (cosmos-sdk v0.53 `x/mint/types/params.go`). */
import { create } from '@bufbuild/protobuf';
import { MAX_INT64 } from '../../bigint.js';
import { ParamsSchema, type Params } from '../../proto/cosmos/mint/v1beta1/mint_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { convertedCodec, paramsRecord } from '../../state/params-record.js';

export const STORE = 'mint';
const PARAMS_KEY = Uint8Array.of(1);

/** Parameters; decimals in units of 10^-18. */
export interface MintParams {
  readonly mintDenom: string;
  /** Maximum change of inflation per year. */
  readonly inflationRateChange: bigint;
  readonly inflationMax: bigint;
  readonly inflationMin: bigint;
  /** Target fraction of bonded supply. */
  readonly goalBonded: bigint;
  readonly blocksPerYear: bigint;
}

/** Default parameters of the SDK: inflation between 7 % and 20 % per year, 67 % bonded, a block every 5 seconds. */
export function defaultParams(mintDenom: string): MintParams {
  const percent = DEC_ONE / 100n;
  return {
    mintDenom,
    inflationRateChange: 13n * percent,
    inflationMax: 20n * percent,
    inflationMin: 7n * percent,
    goalBonded: 67n * percent,
    blocksPerYear: 6_311_520n,
  };
}

/** The parameters; undefined before genesis stored them. */
export const { getParams, setParams } = paramsRecord(
  STORE,
  PARAMS_KEY,
  convertedCodec(ParamsSchema, paramsMessage, paramsOfMessage),
  () => undefined,
);

/** Converts to the SDK's message; fractions become integer strings with 18 decimals. */
export function paramsMessage(params: MintParams): Params {
  return create(ParamsSchema, {
    mintDenom: params.mintDenom,
    inflationRateChange: params.inflationRateChange.toString(),
    inflationMax: params.inflationMax.toString(),
    inflationMin: params.inflationMin.toString(),
    goalBonded: params.goalBonded.toString(),
    blocksPerYear: params.blocksPerYear,
  });
}

/** Converts from the SDK's message; absent decimals, which `paramsProblem` rejects, are zero. */
export function paramsOfMessage(params: Params): MintParams {
  return {
    mintDenom: params.mintDenom,
    inflationRateChange: decOfMessage(params.inflationRateChange) ?? 0n,
    inflationMax: decOfMessage(params.inflationMax) ?? 0n,
    inflationMin: decOfMessage(params.inflationMin) ?? 0n,
    goalBonded: decOfMessage(params.goalBonded) ?? 0n,
    blocksPerYear: params.blocksPerYear,
  };
}

/** The SDK's error for invalid parameters; undefined for valid ones. */
export function paramsProblem(params: Params): string | undefined {
  const { mintDenom, blocksPerYear } = params;
  if (isBlank(mintDenom)) return 'mint denom cannot be blank';
  if (!isValidDenom(mintDenom)) return `invalid denom: ${mintDenom}`;
  const problem =
    rateProblem('inflation rate change', params.inflationRateChange) ??
    rateProblem('max inflation', params.inflationMax) ??
    rateProblem('min inflation', params.inflationMin) ??
    (decOfMessage(params.goalBonded) === 0n
      ? `goal bonded must be positive: ${formatDec(0n)}`
      : rateProblem('goal bonded', params.goalBonded, 'must be positive'));
  if (problem !== undefined) return problem;
  if (blocksPerYear === 0n) return 'blocks per year must be positive: 0';
  if (blocksPerYear > MAX_INT64) return `blocks per year too large: ${blocksPerYear}, maximum value is: ${MAX_INT64}`;
  const { inflationMax, inflationMin } = paramsOfMessage(params);
  return inflationMax < inflationMin
    ? `max inflation (${formatDec(inflationMax)}) must be greater than or equal to min inflation (${formatDec(inflationMin)})`
    : undefined;
}

/** Error for a rate that is not a decimal from 0 to 1; `negative` is the text for one below 0. */
function rateProblem(name: string, text: string, negative = 'cannot be negative'): string | undefined {
  const rate = decOfMessage(text);
  if (rate === undefined) return `${name} cannot be nil: <nil>`;
  if (rate < 0n) return `${name} ${negative}: ${formatDec(rate)}`;
  return rate > DEC_ONE ? `${name} too large: ${formatDec(rate)}` : undefined;
}
