import { isValidDenom } from '../../core/sdk/coins.js';
import { CommandError, EXIT } from './exit-codes.js';

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

/** Parses `5achr,7ibc/AB` into coins sorted by denom; throws a usage error for any other text. */
export function parseCoins(text: string, what: string): readonly CoinAmount[] {
  const coins = text.split(',').map((part) => {
    const [, amount, denom] = /^([0-9]{1,78})(.+)$/.exec(part.trim()) ?? [];
    if (amount === undefined || denom === undefined || !isValidDenom(denom))
      throw new CommandError(
        EXIT.usage,
        `${what}: invalid coins ${JSON.stringify(text)}; expected for example 1000achr`,
      );
    return { denom, amount: BigInt(amount) };
  });
  return coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** Parses a gas price such as `0.25achr` or `2000000000achr`. */
export function parseGasPrice(text: string): GasPrice {
  const [, whole, fraction = '', denom] = /^([0-9]{1,60})(?:\.([0-9]{1,18}))?([a-zA-Z].*)$/.exec(text.trim()) ?? [];
  if (whole === undefined || denom === undefined || !isValidDenom(denom))
    throw new CommandError(
      EXIT.usage,
      `--gas-prices: invalid price ${JSON.stringify(text)}; expected for example 2000000000achr`,
    );
  return { denom, numerator: BigInt(whole + fraction), decimals: fraction.length };
}

/** Fee for an amount of gas, rounded up. */
export function feeOf(price: GasPrice, gas: bigint): CoinAmount {
  const unit = 10n ** BigInt(price.decimals);
  return { denom: price.denom, amount: (price.numerator * gas + unit - 1n) / unit };
}
