/**
 * Rounding of the fees of a block, and the slashes that a delegation bears (cosmos-sdk v0.53
 * `x/distribution/keeper/allocation.go`, `delegation.go`).
 */
import { describe, expect, it } from 'vitest';
import { setBalance } from '../../../../src/core/modules/bank/balances.js';
import { getCommunityPool, setCommunityPool } from '../../../../src/core/modules/distribution/community-pool.js';
import { distributionModule } from '../../../../src/core/modules/distribution/module.js';
import { setParams } from '../../../../src/core/modules/distribution/params.js';
import {
  getCommission,
  getCurrent,
  getOutstanding,
  setCommission,
  setCurrent,
  setOutstanding,
} from '../../../../src/core/modules/distribution/records.js';
import { slash } from '../../../../src/core/modules/staking/slash.js';
import { consensusAddressOf } from '../../../../src/core/modules/staking/validator.js';
import { replaceValidator, requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { toHeight } from '../../../../src/core/primitives.js';
import {
  MsgDepositValidatorRewardsPoolSchema,
  MsgWithdrawDelegatorRewardSchema,
} from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import { formatDecCoins } from '../../../../src/core/sdk/coins/dec-coins.js';
import { achr, bytesOf, operator, person } from '../../app/properties/people.js';
import { delegate, later, newStage, send, type Stage, type Step } from '../../app/refusals/stage.js';

/** Validators of the stage that are bonded. */
const [FIRST, OTHER] = [bytesOf(person(1)), bytesOf(person(2))];
const OPERATORS = [FIRST, OTHER];
const tenths = (count: bigint): bigint => (count * DEC_ONE) / 10n;

/** Validators without rewards, with these commissions; an empty community pool. */
function freshStage(rates: readonly bigint[], communityTax: bigint): Context {
  const { context } = newStage();
  OPERATORS.forEach((of, index) => {
    const before = requireValidator(context, of);
    const commission = { ...before.commission, rate: rates[index] ?? 0n };
    replaceValidator(context, before, { ...before, commission });
    setCommission(context, of, []);
    setOutstanding(context, of, []);
    setCurrent(context, of, { rewards: [], period: getCurrent(context, of).period });
  });
  setCommunityPool(context, []);
  setParams(context, { communityTax, withdrawAddrEnabled: true });
  return context;
}

/** Begins the next block with these fees, and with votes of these powers. */
function allocate(context: Context, fees: bigint, powers: readonly bigint[]): void {
  setBalance(context, moduleAddress(context.crypto, 'fee_collector'), 'achr', fees);
  const { hash, proposer, gas, facts } = context.block;
  const lastCommitVotes = powers.map((power, index) => ({
    address: consensusAddressOf(context.crypto, requireValidator(context, OPERATORS[index] ?? FIRST)),
    power,
    flag: 'commit' as const,
  }));
  const block = new BlockScope(hash, proposer, gas, { ...facts, lastCommitVotes });
  distributionModule.beginBlock?.({ ...context, height: toHeight(context.height + 1n), block });
}

const pooled = (context: Context): string => formatDecCoins(getCommunityPool(context));

describe('the fees of a block', () => {
  it('are truncated at each division, and the community pool gets the remainder', () => {
    const context = freshStage([0n, 0n], tenths(1n));
    allocate(context, 7n, [2n, 1n]);
    // 6.3 by 0.666666666666666666 and by 0.333333333333333333
    expect(OPERATORS.map((of) => formatDecCoins(getOutstanding(context, of)))).toEqual([
      '4.199999999999999995achr',
      '2.099999999999999997achr',
    ]);
    expect(pooled(context)).toBe('0.700000000000000008achr');
  });

  it('pay commissions that are rounded half to even, and delegators get the rest', () => {
    const context = freshStage([tenths(1n), tenths(5n)], tenths(1n));
    allocate(context, 7n, [2n, 1n]);
    const parts = (of: Uint8Array) => [getCommission(context, of), getCurrent(context, of).rewards].map(formatDecCoins);
    expect(parts(FIRST)).toEqual(['0.420000000000000000achr', '3.779999999999999995achr']);
    expect(parts(OTHER)).toEqual(['1.049999999999999998achr', '1.049999999999999999achr']);
    expect(formatDecCoins(getOutstanding(context, FIRST))).toBe('4.199999999999999995achr');
  });

  it.each([
    ['a community tax of 1', DEC_ONE, [2n, 1n]],
    ['no voting power', tenths(1n), []],
  ])('go to the community pool with %s', (_, tax, powers) => {
    const context = freshStage([0n, 0n], tax);
    allocate(context, 7n, powers);
    expect(pooled(context)).toBe('7.000000000000000000achr');
    expect(OPERATORS.map((of) => getOutstanding(context, of))).toEqual([[], []]);
  });
});

/** Slashes the first validator by half in this block. */
function halve({ context }: Stage): void {
  const validator = requireValidator(context, FIRST);
  const offence = { consensus: consensusAddressOf(context.crypto, validator), height: context.height };
  slash(context, { ...offence, power: validator.tokens / DEC_ONE }, DEC_ONE / 2n);
}

/** Deposits rewards for the delegators of the first validator. */
const reward = (coins: bigint): Step =>
  send(MsgDepositValidatorRewardsPoolSchema, {
    depositor: person(5),
    validatorAddress: operator(1),
    amount: [achr(coins * DEC_ONE)],
  });

/** A stage whose first validator takes no commission; account 1 delegates 301 coins to it. */
function stageOfDelegations(): Stage {
  const stage = newStage();
  const before = requireValidator(stage.context, FIRST);
  replaceValidator(stage.context, before, { ...before, commission: { ...before.commission, rate: 0n } });
  return stage;
}

/** The rewards that account 4 withdraws for its delegation to the first validator. */
function withdrawn(stage: Stage): string | undefined {
  send(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: person(4), validatorAddress: operator(1) })(stage);
  return lastPaid(stage);
}

const lastPaid = ({ context }: Stage): string | undefined =>
  context.events.findLast(({ type }) => type === 'withdraw_rewards')?.attributes[0]?.value;
const coins = (count: bigint): string => `${count * DEC_ONE}achr`;

describe('a delegation', () => {
  it('bears a slash after it in the same block', () => {
    const stage = stageOfDelegations();
    delegate(1, 99n * DEC_ONE)(stage);
    halve(stage);
    later(1n)(stage);
    reward(400n)(stage);
    expect(withdrawn(stage)).toBe(coins(99n));
  });

  it('does not bear a slash before it in the same block', () => {
    const stage = stageOfDelegations();
    halve(stage);
    // 150.5 coins are left, and become 400
    delegate(1, (499n * DEC_ONE) / 2n)(stage);
    later(1n)(stage);
    reward(800n)(stage);
    expect(withdrawn(stage)).toBe(coins(499n));
  });

  it('earns rewards by the tokens that it had before each slash', () => {
    const stage = stageOfDelegations();
    delegate(1, 99n * DEC_ONE)(stage);
    later(1n)(stage);
    reward(4000n)(stage);
    halve(stage);
    reward(400n)(stage);
    halve(stage);
    later(1n)(stage);
    reward(40n)(stage);
    expect(withdrawn(stage)).toBe(`${10_989n * (DEC_ONE / 10n)}achr`);
  });

  it('bears a slash in the block of its withdrawal', () => {
    const stage = stageOfDelegations();
    delegate(1, 99n * DEC_ONE)(stage);
    later(1n)(stage);
    reward(400n)(stage);
    halve(stage);
    reward(400n)(stage);
    expect(withdrawn(stage)).toBe(coins(2n * 99n));
  });

  it('earns no rewards in the block in which it starts', () => {
    const stage = stageOfDelegations();
    delegate(1, 99n * DEC_ONE)(stage);
    reward(400n)(stage);
    // each withdrawal starts the delegation anew
    expect(withdrawn(stage)).toBe('0achr');
    later(1n)(stage);
    reward(400n)(stage);
    expect(withdrawn(stage)).toBe(coins(99n));
    reward(400n)(stage);
    expect(withdrawn(stage)).toBe('0achr');
  });

  it('that is increased earns by its new tokens from then on', () => {
    const stage = stageOfDelegations();
    delegate(1, 99n * DEC_ONE)(stage);
    later(1n)(stage);
    reward(400n)(stage);
    delegate(1, 100n * DEC_ONE)(stage);
    expect(lastPaid(stage)).toBe(coins(99n));
    later(1n)(stage);
    reward(500n)(stage);
    expect(withdrawn(stage)).toBe(coins(199n));
  });
});
