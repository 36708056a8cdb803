/** Epoch provision (evmos v3.0.0 `x/inflation/types/inflation_calculation.go`). */
import type { Params } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { DEC_ONE, mulDec, quoDec } from '../../sdk/coins/dec.js';
import { dec } from './params.js';

/** Base units per coin of the parameters. */
const UNIT = 10n ** 18n;

/**
 * Coins minted per epoch, in base units with 18 decimals: an exponentially decaying and a constant part, scaled up
 * while the bonded ratio is below its target. `bondedRatio` has 18 decimals.
 */
export function epochProvision(params: Params, period: bigint, epochsPerPeriod: bigint, bondedRatio: bigint): bigint {
  const { a, r, c, bondingTarget, maxVariance } = params.exponentialCalculation ?? {};
  const target = dec(bondingTarget);
  const ratio = bondedRatio < target ? bondedRatio : target;
  const decayed = mulDec(dec(a), powerDec(DEC_ONE - dec(r), period)) + dec(c);
  const incentive = DEC_ONE + dec(maxVariance) - mulDec(ratio, quoDec(dec(maxVariance), target));
  return mulDec(quoDec(mulDec(decayed, incentive), epochsPerPeriod * DEC_ONE), UNIT * DEC_ONE);
}

/** Raises `base` to an integer power; rounds at each step (`LegacyDec.Power` of cosmossdk.io/math v1.5). */
export function powerDec(base: bigint, power: bigint): bigint {
  if (power === 0n) return DEC_ONE;
  let [square, rest] = [base, DEC_ONE];
  for (let left = power; left > 1n; left /= 2n) {
    if (left % 2n === 1n) rest = mulDec(rest, square);
    square = mulDec(square, square);
  }
  return mulDec(square, rest);
}
