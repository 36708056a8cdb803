import { isValidDenom } from '../../core/sdk/coins/coins.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

export interface CoinAmount {
  readonly denom: string;
  readonly amount: bigint;
}

/** Gas price with up to 18 decimals: `numerator / 10^decimals` of the denom. */
export interface GasPrice {
  readonly denom: string;
  readonly numerator: bigint;
  readonly decimals: number;
}

/** A unit of a denom: an amount of it is `10^exponent` of the base denom. */
export interface Unit {
  readonly base: string;
  readonly exponent: number;
}

/** Units by name, from the chain's denom metadata. */
export type Units = ReadonlyMap<string, Unit>;

/**
 * Parses coins such as `5achr,7ibc/AB`, or `1.5chr` if `units` has the unit, into base denoms, sorted by denom.
 * Throws a usage error for any other text.
 */
export function parseCoins(text: string, what: string, units: Units): readonly CoinAmount[] {
  const coins = text.split(',').map((part) => {
    const [, whole, fraction = '', name] = /^([0-9]{1,78})(?:\.([0-9]{1,78}))?([^0-9.].*)$/.exec(part.trim()) ?? [];
    if (whole === undefined || name === undefined || !isValidDenom(name))
      throw new CommandError(
        EXIT.usage,
        `${what}: invalid coins ${JSON.stringify(text)}; expected ${/^[0-9.]+$/.test(part.trim()) ? 'a denom behind the number, ' : ''}for example 1000achr`,
      );
    const { base, exponent } = units.get(name) ?? { base: name, exponent: 0 };
    if (fraction.length > exponent)
      throw new CommandError(
        EXIT.usage,
        `${what}: ${part.trim()} is no whole number of ${base}: ${name} has ${exponent === 0 ? 'no' : exponent} decimals`,
      );
    return { denom: base, amount: BigInt(whole + fraction.padEnd(exponent, '0')) };
  });
  return coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
}

/**
 * Parses a gas price such as `0.25achr`, or `2gchr` if `units` has the unit, into the base denom. Throws a usage
 * error for any other text.
 */
export function parseGasPrice(text: string, units: Units): GasPrice {
  const [, whole, fraction = '', name] = /^([0-9]{1,60})(?:\.([0-9]{1,18}))?([a-zA-Z].*)$/.exec(text.trim()) ?? [];
  if (whole === undefined || name === undefined || !isValidDenom(name))
    throw new CommandError(
      EXIT.usage,
      `--gas-prices: invalid price ${JSON.stringify(text)}; expected for example 2000000000achr`,
    );
  const { base, exponent } = units.get(name) ?? { base: name, exponent: 0 };
  return { denom: base, numerator: BigInt(whole + fraction) * 10n ** BigInt(exponent), decimals: fraction.length };
}

/** Fee for an amount of gas, rounded up. */
export function feeOf(price: GasPrice, gas: bigint): CoinAmount {
  const unit = 10n ** BigInt(price.decimals);
  return { denom: price.denom, amount: (price.numerator * gas + unit - 1n) / unit };
}
