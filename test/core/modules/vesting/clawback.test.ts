/** Clawback vesting accounts: two schedules at once, and a funder who takes back what has not vested. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { getBalance, setSendEnabled } from '../../../../src/core/modules/bank/balances.js';
import { lockedAmount, unvestedAmount } from '../../../../src/core/modules/auth/vesting/schedule.js';
import { clawbackAccountOf, clawedBack, type ClawbackAccount } from '../../../../src/core/modules/vesting/clawback.js';
import { cappedPeriods, mergedPeriods, totalOf } from '../../../../src/core/modules/vesting/periods.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import type { Period } from '../../../../src/core/proto/cosmos/vesting/v1beta1/vesting_pb.js';
import * as query from '../../../../src/core/proto/evmos/vesting/v1/query_pb.js';
import * as pb from '../../../../src/core/proto/evmos/vesting/v1/tx_pb.js';
import { encodeAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { execute } from '../../../../src/core/sdk/module/execute-message.js';
import { account, brokenInvariants, codes, contextOf, type DevChain, refusal, signed } from '../../app/dev-chain.js';
import { expectFoundedAgain } from '../../app/founded-again.js';
import { bech32Of, later, LATER_CHAIN, laterChain } from '../../app/later-chain.js';

const CHR = 10n ** 18n;
const SECOND = 1_000_000_000n;
const START = 1_700_000_000n;
const MONTH = 2_629_800n;
/** An account that no genesis holds. */
const NEW = 9;
const bytesOf = (index: number): Uint8Array => parseAddress('chron', account(index).address) ?? new Uint8Array();
const period = (length: bigint, amount: bigint): Period => ({
  $typeName: 'cosmos.vesting.v1beta1.Period',
  length,
  amount: [coin('achr', amount)],
});
const at = (dev: DevChain, seconds: bigint): void => void (dev.now = (START + seconds) * SECOND);
const sequences = new WeakMap<DevChain, Map<number, bigint>>();
const next = (dev: DevChain, from: number): bigint => {
  const used = sequences.get(dev) ?? new Map<number, bigint>();
  sequences.set(dev, used);
  const sequence = used.get(from) ?? 0n;
  used.set(from, sequence + 1n);
  return sequence;
};

function failed(): never {
  throw new Error('missing');
}

const create = (dev: DevChain, change: object = {}, from = 0, gas = 300_000n) =>
  dev.block(
    signed(
      from,
      next(dev, from),
      pb.MsgCreateClawbackVestingAccountSchema,
      {
        fromAddress: account(from).address,
        toAddress: account(NEW).address,
        startTime: { seconds: START },
        lockupPeriods: [period(3n * MONTH, 400n * CHR)],
        vestingPeriods: [1, 2, 3, 4].map(() => period(MONTH, 100n * CHR)),
        ...change,
      },
      { gas },
    ),
  );
const clawback = (dev: DevChain, change: object = {}, from = 0) =>
  dev.block(
    signed(from, next(dev, from), pb.MsgClawbackSchema, {
      funderAddress: account(from).address,
      accountAddress: account(NEW).address,
      ...change,
    }),
  );
function balances(dev: DevChain): readonly (readonly string[])[] {
  const { locked, unvested, vested } = dev.query(
    '/evmos.vesting.v1.Query/Balances',
    query.QueryBalancesRequestSchema,
    { address: account(NEW).address },
    query.QueryBalancesResponseSchema,
  );
  return [locked, unvested, vested].map((coins) => coins.map(({ amount }) => (BigInt(amount) / CHR).toString()));
}
function spendable(dev: DevChain): bigint {
  const context = contextOf(dev, later);
  const found = clawbackAccountOf(context, bytesOf(NEW));
  const balance = getBalance(context, bytesOf(NEW), 'achr');
  return found === undefined ? balance : balance - lockedAmount(found, 'achr', context.time);
}

describe('a clawback in the middle of the lockup', () => {
  it('returns what has not vested, and leaves the vested coins locked until the lockup ends', () => {
    const dev = laterChain();
    at(dev, 0n);
    expect(codes(create(dev))).toEqual([0]);
    expect(balances(dev)).toEqual([['400'], ['400'], []]);
    at(dev, 2n * MONTH);
    dev.block();
    expect(balances(dev)).toEqual([['400'], ['200'], ['200']]);
    expect(spendable(dev)).toBe(0n);
    const before = getBalance(contextOf(dev, later), bytesOf(2), 'achr');
    const result = clawback(dev, { destAddress: account(2).address });
    expect(codes(result)).toEqual([0]);
    const events = result.kind === 'executed' ? (result.results.txResults[0]?.events ?? []) : [];
    expect(events.filter(({ type }) => type.endsWith('clawback') || type.startsWith('create_claw'))).toMatchObject([
      { type: 'clawback' },
      {
        type: 'create_clawback_vesting_account',
        attributes: [
          { key: 'funder', value: account(0).address },
          { key: 'account', value: account(NEW).address },
          { key: 'destination', value: account(2).address },
          { key: 'msg_index', value: '0' },
        ],
      },
    ]);
    expect(getBalance(contextOf(dev, later), bytesOf(2), 'achr') - before).toBe(200n * CHR);
    expect(balances(dev)).toEqual([['200'], [], ['200']]);
    expect(spendable(dev)).toBe(0n);
    expect(brokenInvariants(dev, later)).toEqual([]);
    expectFoundedAgain(dev.state, { version: chronicle, chain: LATER_CHAIN, at: dev.at(), founding: dev.founding });
    at(dev, 3n * MONTH);
    dev.block();
    expect(spendable(dev)).toBe(200n * CHR);
  });

  it('is allowed to the funder only, after the start, from a clawback vesting account', () => {
    const dev = laterChain();
    at(dev, 0n);
    expect(refusal(clawback(dev))).toBe(
      `sdk 38: failed to execute message; message index: 0: account ${account(NEW).address} does not exist: not found`,
    );
    expect(codes(create(dev, { startTime: { seconds: START + 100n } }))).toEqual([0]);
    expect(refusal(clawback(dev))).toContain('clawback can only be executed after vesting begins');
    at(dev, 200n);
    expect(refusal(clawback(dev, {}, 1))).toContain(
      `clawback can only be requested by original funder ${account(0).address}: invalid request`,
    );
    expect(refusal(clawback(dev, { accountAddress: account(2).address }))).toContain('account not subject to clawback');
    expect(refusal(clawback(dev, { destAddress: bech32Of('gov') }))).toContain('is not allowed to receive');
  });
});

describe('a grant', () => {
  it.each([
    ['no schedules', { lockupPeriods: [], vestingPeriods: [] }, 'vesting and lockup schedules are empty'],
    [
      'schedules of different sums',
      { lockupPeriods: [period(1n, 1n)] },
      'vesting and lockup schedules must have same total coins',
    ],
    [
      'a period of length 0',
      { lockupPeriods: [period(0n, 400n * CHR)] },
      'invalid period length of 0 in period 0, length must be greater than 0',
    ],
    ['a period without coins', { vestingPeriods: [period(1n, 0n)] }, 'invalid coins'],
    [
      'an end after the year 9999',
      { lockupPeriods: [period(1n << 60n, 400n * CHR)] },
      'schedule ends after the year 9999',
    ],
    ['an existing account', { toAddress: account(1).address }, `account ${account(1).address} already exists`],
    [
      'an account that cannot merge',
      { toAddress: account(1).address, merge: true },
      'must be a clawback vesting account: feature not supported',
    ],
    ['a module account', { toAddress: bech32Of('gov') }, 'is not allowed to receive'],
    ['an invalid address', { toAddress: 'x' }, 'invalid to address'],
    [
      'too many periods',
      { vestingPeriods: Array.from({ length: 1_001 }, () => period(1n, 1n)) },
      'more than 1000 periods',
    ],
  ])('is refused with %s', (_, change, text) => {
    const dev = laterChain();
    at(dev, 0n);
    const result = dev.block(
      signed(
        0,
        0n,
        pb.MsgCreateClawbackVestingAccountSchema,
        {
          fromAddress: account(0).address,
          toAddress: account(NEW).address,
          startTime: { seconds: START },
          lockupPeriods: [period(3n * MONTH, 400n * CHR)],
          vestingPeriods: [1, 2, 3, 4].map(() => period(MONTH, 100n * CHR)),
          ...change,
        },
        { gas: 10_000_000n },
      ),
    );
    expect(refusal(result)).toContain(text);
  });

  it('is merged into a clawback vesting account of the same funder only', () => {
    const dev = laterChain();
    at(dev, 0n);
    expect(codes(create(dev))).toEqual([0]);
    expect(refusal(create(dev))).toContain('already exists; consider using --merge');
    expect(refusal(create(dev, { merge: true }, 1))).toContain('can only accept grants from account');
    const more = { lockupPeriods: [], vestingPeriods: [period(MONTH, 50n * CHR)], merge: true };
    expect(codes(create(dev, { ...more, startTime: { seconds: START + MONTH } }))).toEqual([0]);
    at(dev, 2n * MONTH);
    dev.block();
    expect(balances(dev)).toEqual([['400'], ['200'], ['250']]);
    at(dev, 4n * MONTH);
    dev.block();
    expect(balances(dev)).toEqual([[], [], ['450']]);
    expect(spendable(dev)).toBe(450n * CHR);
  });

  it('has a maximum number of periods, also after a merge', () => {
    const dev = laterChain();
    at(dev, 0n);
    const [first, second] = [0n, 1n].map((shift) => {
      const vestingPeriods = Array.from({ length: 600 }, () => period(2n, 1n));
      return { lockupPeriods: [], vestingPeriods, startTime: { seconds: START + shift }, merge: shift > 0n };
    });
    expect(codes(create(dev, first, 0, 10_000_000n))).toEqual([0]);
    expect(refusal(create(dev, second, 0, 10_000_000n))).toContain('more than 1000 periods');
  });

  it('is refused for coins whose sending is disabled', () => {
    const context = contextOf(laterChain(), later);
    setSendEnabled(context, 'achr', false);
    const request = {
      fromAddress: account(0).address,
      toAddress: account(NEW).address,
      startTime: { seconds: START },
      vestingPeriods: [period(1n, 1n)],
    };
    expect(() => execute(context, pb.MsgCreateClawbackVestingAccountSchema, request)).toThrow('disabled');
  });

  it('may be delegated only as far as it has vested', () => {
    const dev = laterChain();
    at(dev, 0n);
    // no lockup: what has vested could be spent, too
    expect(codes(create(dev, { lockupPeriods: [] }))).toEqual([0]);
    pocketMoney(dev);
    at(dev, MONTH);
    const delegate = (amount: bigint) => {
      const sequence = next(dev, NEW);
      return dev.block(
        signed(
          NEW,
          sequence,
          MsgDelegateSchema,
          {
            delegatorAddress: account(NEW).address,
            validatorAddress: encodeAddress('chronvaloper', bytesOf(0)),
            amount: coin('achr', amount),
          },
          { accountNumber: numberOf(dev), fee: 10n ** 15n },
        ),
      );
    };
    expect(refusal(delegate(102n * CHR))).toMatch(
      /^vesting 2: .*cannot delegate unvested coins. coins vested < delegation amount \(\d+ < 102000000000000000000\): insufficient vested coins error/,
    );
    expect(codes(delegate(100n * CHR))).toEqual([0]);
    // the vested coins are delegated; unvested coins can be clawed back, and not be spent
    expect(spendable(dev) < CHR).toBe(true);
    const delegated = () => {
      const { delegatedFree, delegatedVesting } = clawbackAccountOf(contextOf(dev, later), bytesOf(NEW)) ?? failed();
      return [delegatedFree, delegatedVesting].map((coins) => coins.map(({ amount }) => BigInt(amount) / CHR));
    };
    expect(codes(clawback(dev))).toEqual([0]);
    expect(balances(dev)).toEqual([[], [], ['100']]);
    expect(delegated()).toEqual([[], [100n]]);
    // after another grant, delegated coins count as vesting only as far as coins are unvested: here none are
    at(dev, 5n * MONTH);
    expect(codes(create(dev, { lockupPeriods: [], merge: true }))).toEqual([0]);
    expect(delegated()).toEqual([[100n], []]);
    expect(brokenInvariants(dev, later)).toEqual([]);
  });
});

const numberOf = (dev: DevChain): bigint =>
  clawbackAccountOf(contextOf(dev, later), bytesOf(NEW))?.base.accountNumber ?? -1n;

/** A coin for fees. */
function pocketMoney(dev: DevChain): void {
  const [fromAddress, toAddress] = [account(0).address, account(NEW).address];
  const sent = signed(0, next(dev, 0), MsgSendSchema, { fromAddress, toAddress, amount: [coin('achr', CHR)] });
  expect(codes(dev.block(sent))).toEqual([0]);
}

describe('schedules', () => {
  const periods = fc.array(
    fc.tuple(fc.bigInt(1n, 50n), fc.bigInt(1n, 1000n)).map(([length, amount]) => period(length, amount)),
    { minLength: 1, maxLength: 8 },
  );
  const sum = (list: readonly Period[]): bigint => BigInt(totalOf(list)[0]?.amount ?? '0');
  const accountOf = (lockup: readonly Period[], vesting: readonly Period[]): ClawbackAccount => {
    const end = [lockup, vesting]
      .map((list) => list.reduce((total, { length }) => total + length, START))
      .reduce((a, b) => (a > b ? a : b));
    return {
      kind: 'vesting',
      base: { address: '' } as ClawbackAccount['base'],
      originalVesting: totalOf(vesting),
      delegatedFree: [],
      delegatedVesting: [],
      end,
      schedule: { kind: 'clawback', funder: '', startTime: toTimeNs(START * SECOND), lockup, vesting },
    };
  };
  /** Periods of the same coins at other times. */
  const both = periods.chain((vesting) =>
    fc
      .tuple(fc.constant(vesting), fc.bigInt(1n, 300n))
      .map(([list, length]) => accountOf([period(length, sum(list))], list)),
  );
  const time = (seconds: bigint) => toTimeNs((START + seconds) * SECOND);

  it('are monotone: what has vested and unlocked stays so', () => {
    fc.assert(
      fc.property(both, fc.bigInt(0n, 400n), fc.bigInt(0n, 50n), (one, from, step) => {
        for (const amount of [lockedAmount, unvestedAmount])
          expect(amount(one, 'achr', time(from + step)) <= amount(one, 'achr', time(from))).toBe(true);
        expect(lockedAmount(one, 'achr', time(0n))).toBe(sum(one.schedule.vesting));
        expect(lockedAmount(one, 'achr', time(1000n))).toBe(0n);
      }),
    );
  });

  it('lose nothing in a clawback, which leaves the vested coins and locks no more of them', () => {
    fc.assert(
      fc.property(both, fc.bigInt(0n, 400n), fc.bigInt(0n, 400n), (one, when, then) => {
        const { account: left, taken } = clawedBack(one, time(when));
        const vested = BigInt(left.originalVesting[0]?.amount ?? '0');
        expect(vested + BigInt(taken[0]?.amount ?? '0')).toBe(sum(one.schedule.vesting));
        expect(unvestedAmount(left, 'achr', time(when))).toBe(0n);
        if (then >= when) {
          const still = lockedAmount(left, 'achr', time(then));
          expect(still <= lockedAmount(one, 'achr', time(then))).toBe(true);
          expect(still <= vested).toBe(true);
        }
        expect(clawedBack(left, time(when)).taken).toEqual([]);
        // no schedule gives coins that were taken
        expect([sum(left.schedule.lockup), sum(left.schedule.vesting)]).toEqual([vested, vested]);
      }),
    );
  });

  it('release the sum of both when they are merged, and at most the cap when they are capped', () => {
    const passed = (start: bigint, list: readonly Period[], now: bigint): bigint => {
      let [end, total] = [start, 0n];
      for (const { length, amount } of list) {
        end += length;
        if (end <= now) total += BigInt(amount[0]?.amount ?? '0');
      }
      return total;
    };
    fc.assert(
      fc.property(
        periods,
        periods,
        fc.bigInt(0n, 40n),
        fc.bigInt(0n, 500n),
        fc.bigInt(0n, 9000n),
        (a, b, shift, now, most) => {
          expect(passed(0n, mergedPeriods([0n, a], [shift, b]), now)).toBe(passed(0n, a, now) + passed(shift, b, now));
          const all = passed(0n, a, now);
          expect(passed(0n, cappedPeriods(0n, a, [coin('achr', most)]), now)).toBe(all < most ? all : most);
        },
      ),
    );
  });
});

interface RandomStep {
  readonly wait: bigint;
  readonly kind: 'send' | 'delegate' | 'undelegate' | 'grant' | 'clawback';
  readonly amount: bigint;
}

/** Steps that all succeed: 100 coins have vested before the first. */
const EVERY_KIND: RandomStep[] = [
  { wait: MONTH, kind: 'delegate', amount: 50n },
  { wait: 1n, kind: 'undelegate', amount: 20n },
  { wait: 1n, kind: 'send', amount: 10n },
  { wait: 1n, kind: 'grant', amount: 1n },
  { wait: 1n, kind: 'clawback', amount: 1n },
];

it('random sends, delegations, grants and clawbacks break no invariant', () => {
  const succeeded = new Set<string>();
  const step: fc.Arbitrary<RandomStep> = fc.record({
    wait: fc.bigInt(0n, MONTH),
    kind: fc.constantFrom('send', 'delegate', 'undelegate', 'grant', 'clawback'),
    amount: fc.bigInt(1n, 300n),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const dev = laterChain();
      let seconds = 0n;
      at(dev, seconds);
      create(dev, { lockupPeriods: [] });
      pocketMoney(dev);
      for (const { wait, kind, amount } of steps) {
        seconds += wait;
        at(dev, seconds);
        const coins = coin('achr', amount * CHR);
        const validatorAddress = encodeAddress('chronvaloper', bytesOf(0));
        const own = { accountNumber: numberOf(dev), gas: 400_000n };
        const delegatorAddress = account(NEW).address;
        const sequence = clawbackAccountOf(contextOf(dev, later), bytesOf(NEW))?.base.sequence ?? 0n;
        let result: ReturnType<DevChain['block']>;
        if (kind === 'grant') result = create(dev, { merge: true, startTime: { seconds: START + seconds } });
        else if (kind === 'clawback') result = clawback(dev);
        else if (kind === 'send')
          result = dev.block(
            signed(
              NEW,
              sequence,
              MsgSendSchema,
              { fromAddress: delegatorAddress, toAddress: account(1).address, amount: [coins] },
              own,
            ),
          );
        else
          result = dev.block(
            signed(
              NEW,
              sequence,
              kind === 'delegate' ? MsgDelegateSchema : MsgUndelegateSchema,
              { delegatorAddress, validatorAddress, amount: coins },
              own,
            ),
          );
        if (String(codes(result)) === '0') succeeded.add(kind);
        expect(brokenInvariants(dev, later)).toEqual([]);
        expect(spendable(dev) >= 0n).toBe(true);
      }
    }),
    { numRuns: 10, examples: [[EVERY_KIND]] },
  );
  expect([...succeeded].toSorted()).toEqual(['clawback', 'delegate', 'grant', 'send', 'undelegate']);
}, 20_000);
