/** Invariants of staking (cosmos-sdk v0.50 `x/staking/keeper/invariants.go`). */
import { equal } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import { formatDec } from '../../sdk/coins/dec.js';
import type { Context } from '../../sdk/module/context.js';
import type { Invariant } from '../../sdk/module/module.js';
import { accountText, operatorText } from './addresses.js';
import { allDelegations } from './delegations.js';
import { POWER_INDEX_PREFIX, powerIndexKey, STORE } from './keys.js';
import { BONDED_POOL, NOT_BONDED_POOL, poolTokens } from './pools.js';
import { allUnbondings } from './unbonding-delegations.js';
import { isBonded, potentialPower } from './validator.js';
import { allValidators, requireValidator } from './validators.js';

/** The pools hold the tokens of all validators and unbonding delegations. */
const moduleAccounts: Invariant = {
  name: 'staking/module-accounts',
  check(context) {
    let bonded = 0n;
    let notBonded = 0n;
    for (const validator of allValidators(context)) {
      if (isBonded(validator)) bonded += validator.tokens;
      else notBonded += validator.tokens;
    }
    for (const { entries } of allUnbondings(context)) for (const { balance } of entries) notBonded += balance;
    const balances = { bonded: poolTokens(context, BONDED_POOL), notBonded: poolTokens(context, NOT_BONDED_POOL) };
    return balances.bonded === bonded && balances.notBonded === notBonded
      ? undefined
      : `the pools hold ${balances.bonded} bonded and ${balances.notBonded} other tokens, the records ${bonded} and ${notBonded}`;
  },
};

/** The power index contains each validator that is not jailed under its power, and nothing else. */
const nonnegativePower: Invariant = {
  name: 'staking/nonnegative-power',
  check(context) {
    let free = 0;
    for (const validator of allValidators(context)) {
      if (validator.tokens < 0n) return `${operatorText(context, validator.operator)} has negative tokens`;
      if (!validator.jailed) free += 1;
    }
    for (const { key, value } of context.store.range(STORE, prefixRange(POWER_INDEX_PREFIX))) {
      const validator = requireValidator(context, value);
      if (validator.jailed || !equal(key, powerIndexKey(potentialPower(validator), validator.operator)))
        return `${operatorText(context, value)} has a wrong place among the powers`;
      free -= 1;
    }
    return free === 0 ? undefined : `${free} validators have no place among the powers`;
  },
};

const positiveDelegation: Invariant = {
  name: 'staking/positive-delegation',
  check(context) {
    for (const { delegator, operator, shares } of allDelegations(context))
      if (shares <= 0n) return `${nameOf(context, delegator, operator)} has ${formatDec(shares)} shares`;
    return undefined;
  },
};

/** A validator's shares equal the sum of its delegations' shares. */
const delegatorShares: Invariant = {
  name: 'staking/delegator-shares',
  check(context) {
    const sums = new Map<string, bigint>();
    for (const { operator, shares } of allDelegations(context))
      sums.set(hex(operator), (sums.get(hex(operator)) ?? 0n) + shares);
    for (const { operator, shares } of allValidators(context)) {
      const delegated = sums.get(hex(operator)) ?? 0n;
      sums.delete(hex(operator));
      if (delegated !== shares)
        return `${operatorText(context, operator)} has ${formatDec(shares)} shares, its delegations ${formatDec(delegated)}`;
    }
    return sums.size === 0 ? undefined : `${sums.size} operators with delegations are no validators`;
  },
};

function nameOf(context: Context, delegator: Uint8Array, operator: Uint8Array): string {
  return `the delegation of ${accountText(context, delegator)} to ${operatorText(context, operator)}`;
}

export const invariants = [moduleAccounts, nonnegativePower, positiveDelegation, delegatorShares];
