import { text } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import { outsideSupply } from '../../sdk/module/development-chain.js';
import type { Invariant } from '../../sdk/module/module.js';
import { BALANCE_PREFIX, decodeAmount, STORE, SUPPLY_PREFIX } from './balances.js';

/** No balance is negative (cosmos-sdk v0.50 `x/bank/keeper/invariants.go`). */
const nonnegativeBalances: Invariant = {
  name: 'bank/nonnegative-outstanding',
  check: ({ store }) => {
    for (const { key, value } of store.range(STORE, prefixRange(BALANCE_PREFIX)))
      if (decodeAmount(value) < 0n) return `the balance ${hex(key)} is ${decodeAmount(value)}`;
    return undefined;
  },
};

/** For every denom the balances add up to the supply (same file) plus what a developer set outside of it. */
export const supplyInvariant: Invariant = {
  name: 'bank/total-supply',
  check: (context) => {
    const { store } = context;
    const sums = new Map<string, bigint>();
    for (const { key, value } of store.range(STORE, prefixRange(BALANCE_PREFIX))) {
      const denom = text(key.subarray(2 + (key[1] ?? 0)));
      sums.set(denom, (sums.get(denom) ?? 0n) + decodeAmount(value));
    }
    for (const { key, value } of store.range(STORE, prefixRange(SUPPLY_PREFIX))) {
      const denom = text(key.subarray(1));
      const balances = (sums.get(denom) ?? 0n) - outsideSupply(context, denom);
      if (balances !== decodeAmount(value))
        return `supply of ${denom} is ${decodeAmount(value)} but accounts hold ${balances}`;
      sums.delete(denom);
    }
    const [orphan] = sums;
    return orphan === undefined ? undefined : `accounts hold ${orphan[1]} of ${orphan[0]}, which has no supply`;
  },
};

export const invariants = [nonnegativeBalances, supplyInvariant];
