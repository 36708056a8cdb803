import type { Context } from '../../../sdk/module/context.js';
import type { Invariant } from '../../../sdk/module/module.js';
import { getBalance } from '../../../modules/bank/balances.js';
import { evmCoin } from '../../../sdk/coins/evm-coin.js';
import { fractions, getRemainder } from './fractions.js';
import { reserveOf } from './move.js';

/**
 * The reserve holds the sum of the fractions that accounts own and of the remainder. A coin with 18 decimals has none.
 */
export const reserve: Invariant = {
  name: 'reserve-backs-fractions',
  check(context: Context) {
    const { denom, unit } = evmCoin(context);
    if (unit === 1n) return undefined;
    let backed = getRemainder(context);
    for (const { amount } of fractions(context)) backed += amount;
    const held = getBalance(context, reserveOf(context), denom) * unit;
    return held === backed ? undefined : `the reserve holds ${held}, and backs ${backed}`;
  },
};
