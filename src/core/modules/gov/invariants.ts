import { moduleAddress } from '../../sdk/codec/address.js';
import { formatCoins, sumCoins } from '../../sdk/coins/coins.js';
import type { Invariant } from '../../sdk/module/module.js';
import { getBalance } from '../bank/balances.js';
import { depositsFor, GOV } from './deposits.js';

/** Gov's account holds the deposits of all proposals (cosmos-sdk v0.50 `x/gov/keeper/invariants.go`). */
export const moduleAccountInvariant: Invariant = {
  name: 'gov/module-account',
  check: (context) => {
    const deposits = sumCoins(depositsFor(context).flatMap(({ deposit }) => deposit.amount));
    const account = moduleAddress(context.crypto, GOV);
    const short = deposits.filter(({ denom, amount }) => getBalance(context, account, denom) < BigInt(amount));
    return short.length === 0 ? undefined : `gov's account holds less than the deposits of ${formatCoins(short)}`;
  },
};
