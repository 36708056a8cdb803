/**
 * Allocates a block's fees and minted coins to the previous block's validators (cosmos-sdk v0.53
 * `x/distribution/keeper/allocation.go`).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, quoDecTruncate } from '../../sdk/coins/dec.js';
import {
  addDecCoins,
  decCoinsOf,
  formatDecCoins,
  mulDecCoins,
  mulDecCoinsTruncate,
  subtractDecCoins,
  type DecCoins,
} from '../../sdk/coins/dec-coins.js';
import { ensureModuleAccount, FEE_COLLECTOR } from '../auth/accounts.js';
import { allBalances } from '../bank/balances.js';
import { sendToModule } from '../bank/module-accounts.js';
import { operatorText } from '../staking/addresses.js';
import type { Validator } from '../staking/validator.js';
import { getValidatorByConsensus } from '../staking/validators.js';
import { getCommunityPool, setCommunityPool } from './community-pool.js';
import { DISTRIBUTION, PROPOSER_KEY, STORE } from './keys.js';
import { getParams } from './params.js';
import { getCommission, getCurrent, getOutstanding, setCommission, setCurrent, setOutstanding } from './records.js';

/** Distributes the fee collector's balance by voting power; records the proposer of the current block. */
export function beginBlock(context: Context): void {
  if (context.height > 1n) allocate(context);
  setPreviousProposer(context, context.block.proposer);
}

/** Stores the proposer of the last block; `consensus` is its consensus address. */
export function setPreviousProposer({ store }: Context, consensus: Uint8Array): void {
  store.set(STORE, PROPOSER_KEY, toBinary(BytesValueSchema, create(BytesValueSchema, { value: consensus })));
}

/** Allocates rewards; the community pool gets its tax and rounding remainders. */
function allocate(context: Context): void {
  const collector = ensureModuleAccount(context, FEE_COLLECTOR);
  const collected = allBalances(context, collector);
  sendToModule(context, collector, DISTRIBUTION, collected);
  const fees = decCoinsOf(collected);
  const pool = getCommunityPool(context);
  const votes = context.block.facts.lastCommitVotes;
  const total = votes.reduce((sum, { power }) => sum + power, 0n);
  if (total === 0n) {
    setCommunityPool(context, addDecCoins(pool, fees));
    return;
  }
  const shared = mulDecCoinsTruncate(fees, DEC_ONE - getParams(context).communityTax);
  let remaining = fees;
  for (const { address, power } of votes) {
    const validator = getValidatorByConsensus(context, address);
    // A validator may be removed before its last vote is counted, which would stop a Go node.
    if (validator === undefined) continue;
    const reward = mulDecCoinsTruncate(shared, quoDecTruncate(power * DEC_ONE, total * DEC_ONE));
    allocateToValidator(context, validator, reward);
    remaining = subtractDecCoins(remaining, reward);
  }
  setCommunityPool(context, addDecCoins(pool, remaining));
}

/** Allocates coins of the module account to a validator: commission to itself, the rest to its delegators. */
export function allocateToValidator(
  context: Context,
  { operator, commission: { rate } }: Pick<Validator, 'operator' | 'commission'>,
  coins: DecCoins,
): void {
  const validator = operatorText(context, operator);
  const commission = mulDecCoins(coins, rate);
  emit(context, 'commission', () => [
    ['amount', formatDecCoins(commission)],
    ['validator', validator],
  ]);
  setCommission(context, operator, addDecCoins(getCommission(context, operator), commission));
  const { rewards, period } = getCurrent(context, operator);
  setCurrent(context, operator, { rewards: addDecCoins(rewards, subtractDecCoins(coins, commission)), period });
  emit(context, 'rewards', () => [
    ['amount', formatDecCoins(coins)],
    ['validator', validator],
  ]);
  setOutstanding(context, operator, addDecCoins(getOutstanding(context, operator), coins));
}
