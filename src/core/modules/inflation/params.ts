/** Parameters of epoch inflation (evmos v3.0.0 `x/inflation/types/params.go`); decimals are in units of 10^-18. */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema, type Params } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { Context } from '../../sdk/module/context.js';
import { requireUpdate } from '../authority.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

export const INFLATION = 'inflation';
export const STORE = 'inflation';
const PARAMS_KEY = Uint8Array.of(0);
/** Largest coins per period, in whole coins: more than any chain has, and far from overflow. */
const MOST_COINS = 10n ** 30n * DEC_ONE;

/** The parameters; undefined on a chain without the module. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(ParamsSchema), () => undefined);

/** Updates the parameters; throws unless `authority` is governance and the values are valid. */
export function updateParams(context: Context, authority: string, params: Params): void {
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, params);
}

/** Default parameters of evmos, but disabled, so that module mint mints. */
export function defaultParams(mintDenom: string): Params {
  const part = (value: bigint, places: bigint): string => ((value * DEC_ONE) / 10n ** places).toString();
  return create(ParamsSchema, {
    mintDenom,
    exponentialCalculation: {
      a: part(300_000_000n, 0n),
      r: part(50n, 2n),
      c: part(9_375_000n, 0n),
      bondingTarget: part(66n, 2n),
      maxVariance: '0',
    },
    inflationDistribution: {
      stakingRewards: part(533_333_334n, 9n),
      usageIncentives: part(333_333_333n, 9n),
      communityPool: part(133_333_333n, 9n),
    },
    enableInflation: false,
  });
}

/** Decodes a decimal of a message; absent is zero. */
export const dec = (text: string | undefined): bigint => decOfMessage(text ?? '') ?? 0n;

/** evmos' error for inconsistent parameters; undefined for valid ones. */
export function paramsProblem({
  mintDenom,
  exponentialCalculation,
  inflationDistribution,
}: Params): string | undefined {
  if (isBlank(mintDenom)) return 'mint denom cannot be blank';
  if (!isValidDenom(mintDenom)) return `invalid denom: ${mintDenom}`;
  const [a, r, c] = [exponentialCalculation?.a, exponentialCalculation?.r, exponentialCalculation?.c].map(dec);
  if (a === undefined || r === undefined || c === undefined) return 'exponential calculation is missing';
  const target = dec(exponentialCalculation?.bondingTarget);
  const variance = dec(exponentialCalculation?.maxVariance);
  if (a < 0n) return 'initial value cannot be negative';
  if (r > DEC_ONE) return 'reduction factor cannot be greater than 1';
  if (r < 0n) return 'reduction factor cannot be negative';
  if (c < 0n) return 'long term inflation cannot be negative';
  if (a + c > MOST_COINS) return `initial value and long term inflation exceed 10^30`;
  if (target > DEC_ONE) return 'bonded target cannot be greater than 1';
  if (target <= 0n) return 'bonded target cannot be zero or negative';
  if (variance < 0n) return 'max variance cannot be negative';
  if (variance > MOST_COINS) return 'max variance exceeds 10^30';
  const staking = dec(inflationDistribution?.stakingRewards);
  const incentives = dec(inflationDistribution?.usageIncentives);
  const community = dec(inflationDistribution?.communityPool);
  if (staking < 0n) return 'staking distribution ratio must not be negative';
  if (incentives < 0n) return 'pool incentives distribution ratio must not be negative';
  if (community < 0n) return 'community pool distribution ratio must not be negative';
  return staking + incentives + community === DEC_ONE ? undefined : 'total distributions ratio should be 1';
}
