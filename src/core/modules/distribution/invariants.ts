/** Invariants of rewards (cosmos-sdk v0.50 `x/distribution/keeper/invariants.go`). */
import { hex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { addDecCoins, formatDecCoins, truncateDecCoins } from '../../sdk/coins/dec-coins.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import type { Invariant } from '../../sdk/module/module.js';
import { CacheStore } from '../../state/overlay.js';
import { allBalances } from '../bank/balances.js';
import { operatorText } from '../staking/addresses.js';
import { allDelegations } from '../staking/delegations.js';
import { allValidators } from '../staking/validators.js';
import { withdrawCommission } from './commission.js';
import { getCommunityPool } from './community-pool.js';
import { withdrawRewards } from './delegation-rewards.js';
import { addressOf, DISTRIBUTION, HISTORICAL_PREFIX, OUTSTANDING_PREFIX, STORE } from './keys.js';
import { getCommission, getOutstanding, historical, outstanding } from './records.js';
import { allSlashEvents } from './slash-events.js';

/** Outstanding rewards of each validator, by operator. */
function* allOutstanding(context: Context) {
  for (const { key, value } of context.store.range(STORE, prefixRange(OUTSTANDING_PREFIX)))
    yield { operator: addressOf(key), rewards: outstanding.decode(context, key, value) };
}

const notNegative: Invariant = {
  name: 'distribution/nonnegative-outstanding',
  check(context) {
    for (const { operator, rewards } of allOutstanding(context))
      if (rewards.some(({ amount }) => amount < 0n))
        return `${operatorText(context, operator)} has negative outstanding coins: ${formatDecCoins(rewards)}`;
    return undefined;
  },
};

/** All commissions and rewards can be withdrawn one after another. */
const canWithdraw: Invariant = {
  name: 'distribution/can-withdraw',
  check(context) {
    const trial: Context = { ...context, store: new CacheStore(context.store), events: [] };
    const delegators = new Map<string, Uint8Array[]>();
    for (const { operator, delegator } of allDelegations(trial)) {
      const known = delegators.get(hex(operator));
      if (known === undefined) delegators.set(hex(operator), [delegator]);
      else known.push(delegator);
    }
    for (const { operator } of [...allValidators(trial)]) {
      if (getCommission(trial, operator).length > 0) withdrawCommission(trial, operator);
      for (const delegator of delegators.get(hex(operator)) ?? []) withdrawRewards(trial, delegator, operator);
      const left = getOutstanding(trial, operator);
      if (left.some(({ amount }) => amount < 0n)) return `remaining coins: ${formatDecCoins(left)}`;
    }
    return undefined;
  },
};

/** Historical reference counts match the number of validators, delegations and slashes. */
const referenceCount: Invariant = {
  name: 'distribution/reference-count',
  check(context) {
    const expected =
      [...allValidators(context)].length + [...allDelegations(context)].length + [...allSlashEvents(context)].length;
    let count = 0;
    for (const { key, value } of context.store.range(STORE, prefixRange(HISTORICAL_PREFIX)))
      count += historical.decode(context, key, value).references;
    return count === expected
      ? undefined
      : `expected historical reference count: ${expected}, total validator historical reference count: ${count}`;
  },
};

/** The module account holds outstanding rewards and the community pool. */
const moduleAccount: Invariant = {
  name: 'distribution/module-account',
  check(context) {
    let owed = getCommunityPool(context);
    for (const { rewards } of allOutstanding(context)) owed = addDecCoins(owed, rewards);
    const expected = formatCoins(truncateDecCoins(owed).whole);
    const balance = formatCoins(allBalances(context, moduleAddress(context.crypto, DISTRIBUTION)));
    return balance === expected
      ? undefined
      : `expected ModuleAccount coins: ${expected}, distribution ModuleAccount coins: ${balance}`;
  },
};

export const invariants = [notNegative, canWithdraw, referenceCount, moduleAccount];
