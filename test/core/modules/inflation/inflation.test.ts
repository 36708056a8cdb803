/** Inflation by epochs: its formula, computed by hand, what an epoch mints and distributes, and its parameters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_UINT256 } from '../../../../src/core/bigint.js';
import { getBalance, getSupply, setSupply } from '../../../../src/core/modules/bank/balances.js';
import { getCommunityPool } from '../../../../src/core/modules/distribution/community-pool.js';
import { inflationHooks, partOf } from '../../../../src/core/modules/inflation/epoch-end.js';
import { dec, defaultParams, paramsProblem, updateParams } from '../../../../src/core/modules/inflation/params.js';
import { epochProvision, powerDec } from '../../../../src/core/modules/inflation/provision.js';
import { getState, setProvision, setState } from '../../../../src/core/modules/inflation/state.js';
import * as pb from '../../../../src/core/proto/evmos/inflation/v1/query_pb.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { DEC_ONE, formatDec, mulDec } from '../../../../src/core/sdk/coins/dec.js';
import { GenesisError } from '../../../../src/core/sdk/module/genesis-section.js';
import { contextOver, entriesIn, FACTS } from '../distribution/support.js';
import { brokenInvariants, contextOf } from '../../app/dev-chain.js';
import { bech32Of, DAY, eventsAt, GENESIS_TIME, later, laterChain, moduleOf } from '../../app/later-chain.js';
import { crypto } from '../../app/support.js';

const params = defaultParams('achr');
const on = (): Readonly<Record<string, unknown>> => ({
  inflation: { params: { ...JSON_PARAMS, enable_inflation: true }, epochs_per_period: '2' },
});
const JSON_PARAMS = {
  mint_denom: 'achr',
  exponential_calculation: { a: '300000000', r: '0.5', c: '9375000', bonding_target: '0.66', max_variance: '0' },
  inflation_distribution: {
    staking_rewards: '0.533333334',
    usage_incentives: '0.333333333',
    community_pool: '0.133333333',
  },
};

describe('coins of an epoch', () => {
  // evmos specification, inflation: (a(1 - r)^x + c) / 365 coins of 10^18 base units.
  it.each([
    [0n, '847602739726027397260274.000000000000000000'],
    [1n, '436643835616438356164384.000000000000000000'],
    [2n, '231164383561643835616438.000000000000000000'],
    [3n, '128424657534246575342466.000000000000000000'],
  ])('in period %s are %s', (period, shown) => {
    expect(formatDec(epochProvision(params, period, 365n, DEC_ONE / 3n))).toBe(shown);
  });

  it('are more when less is bonded, if the parameters have a variance', () => {
    const variance = (text: string) => ({
      ...params,
      exponentialCalculation: { ...params.exponentialCalculation!, maxVariance: text },
    });
    const half = variance((DEC_ONE / 2n).toString());
    const [none, target] = [0n, dec(params.exponentialCalculation?.bondingTarget)];
    expect(epochProvision(half, 0n, 1n, none)).toBe((3n * epochProvision(params, 0n, 1n, none)) / 2n);
    expect(epochProvision(half, 0n, 1n, target)).toBe(epochProvision(params, 0n, 1n, target));
    fc.assert(
      fc.property(fc.bigInt(0n, DEC_ONE), fc.bigInt(0n, DEC_ONE), fc.bigInt(0n, 60n), (a, b, period) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(epochProvision(half, period, 365n, less) >= epochProvision(half, period, 365n, more)).toBe(true);
        expect(epochProvision(half, period, 365n, a) >= epochProvision(half, period + 1n, 365n, a)).toBe(true);
      }),
    );
  });

  it('decay by powers that are rounded at each step', () => {
    expect(powerDec(DEC_ONE / 2n, 0n)).toBe(DEC_ONE);
    expect(powerDec(DEC_ONE / 2n, 3n)).toBe(DEC_ONE / 8n);
    expect(powerDec(DEC_ONE / 3n, 2n)).toBe(mulDec(DEC_ONE / 3n, DEC_ONE / 3n));
    expect(powerDec(DEC_ONE / 2n, (1n << 64n) - 1n)).toBe(0n);
  });

  it('are distributed in shares that are rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 1n << 200n), fc.bigInt(0n, DEC_ONE), (amount, share) => {
        expect(partOf(amount, share.toString())).toBe((amount * share) / DEC_ONE);
      }),
    );
  });
});

describe('a chain with inflation', () => {
  it('mints with module mint while inflation is disabled, and counts the skipped epochs', () => {
    const dev = laterChain();
    expect(eventsAt(dev, GENESIS_TIME + 1n).some((event) => event.startsWith('mint '))).toBe(true);
    const events = eventsAt(dev, GENESIS_TIME + DAY + 1n);
    expect(events.filter((event) => event.startsWith('inflation '))).toEqual([]);
    expect(getState(contextOf(dev, later))).toMatchObject({ skippedEpochs: 1n, period: 0n });
  });

  it('mints at the end of each epoch instead, and starts the next period in time', () => {
    const dev = laterChain(on());
    const supply = (): bigint => {
      const path = '/evmos.inflation.v1.Query/TotalSupply';
      const { totalSupply } = dev.query(path, pb.QueryTotalSupplyRequestSchema, {}, pb.QueryTotalSupplyResponseSchema);
      return BigInt(totalSupply?.amount ?? '0') / DEC_ONE;
    };
    const before = supply();
    expect(eventsAt(dev, GENESIS_TIME + 1n).some((event) => event.startsWith('mint '))).toBe(false);
    expect(supply()).toBe(before);
    const amount = (309_375_000n * 10n ** 18n) / 2n;
    const events = eventsAt(dev, GENESIS_TIME + DAY + 1n);
    expect(events).toContain(
      `inflation epoch_number=2 epoch_provisions=${amount}.000000000000000000 amount=${amount} mode=BeginBlock`,
    );
    expect(supply() - before).toBe(amount);
    const held = (module: string): bigint => getBalance(contextOf(dev, later), moduleAddress(crypto, module), 'achr');
    expect(held('incentives')).toBe(partOf(amount, params.inflationDistribution?.usageIncentives));
    expect(held('inflation')).toBe(0n);
    expect(events).toContain(
      `transfer recipient=${bech32Of('fee_collector')} sender=${bech32Of('inflation')} amount=${partOf(amount, params.inflationDistribution?.stakingRewards)}achr mode=BeginBlock`,
    );
    expect(brokenInvariants(dev, later)).toEqual([]);
    // two epochs of the period have ended
    const next = (159_375_000n * 10n ** 18n) / 2n;
    expect(eventsAt(dev, GENESIS_TIME + 2n * DAY + 1n)).toContain(
      `inflation epoch_number=3 epoch_provisions=${next}.000000000000000000 amount=${amount} mode=BeginBlock`,
    );
    expect(getState(contextOf(dev, later)).period).toBe(1n);
    const { inflationRate } = dev.query(
      '/evmos.inflation.v1.Query/InflationRate',
      pb.QueryInflationRateRequestSchema,
      {},
      pb.QueryInflationRateResponseSchema,
    );
    expect(BigInt(inflationRate)).toBeGreaterThan(0n);
  });
});

describe('the end of an epoch', () => {
  const begun = () => contextOf(laterChain(on()), later);

  it('mints nothing for another epoch', () => {
    const context = begun();
    const before = getSupply(context, 'achr');
    inflationHooks.afterEpochEnd?.(context, 'week', 2n);
    expect([getSupply(context, 'achr'), getState(context).skippedEpochs]).toEqual([before, 0n]);
    inflationHooks.afterEpochEnd?.(context, 'day', 2n);
    expect(getSupply(context, 'achr')).toBeGreaterThan(before);
  });

  it.each([1n, 2n, 3n, 7n, 1_000_000_007n, 10n ** 30n + 1n])(
    'gives the rest of %i units to the community pool, after the rounded shares of stakers and incentives',
    (amount) => {
      const context = begun();
      const held = () => {
        const pool = getCommunityPool(context).find(({ denom }) => denom === 'achr')?.amount ?? 0n;
        const of = (name: string) => getBalance(context, moduleAddress(crypto, name), 'achr');
        return [of('fee_collector'), of('incentives'), of('distribution'), pool, of('inflation')];
      };
      const before = held();
      setProvision(context, amount * DEC_ONE + DEC_ONE / 2n);
      inflationHooks.afterEpochEnd?.(context, 'day', 2n);
      const [stakers, incentives] = [(amount * 533_333_334n) / 10n ** 9n, (amount * 333_333_333n) / 10n ** 9n];
      const rest = amount - stakers - incentives;
      expect(held().map((now, index) => now - (before[index] ?? 0n))).toEqual([
        stakers,
        incentives,
        rest,
        rest * DEC_ONE,
        0n,
      ]);
    },
  );

  it('mints no more coins than the supply has room for', () => {
    const context = begun();
    setSupply(context, 'achr', MAX_UINT256 - 3n);
    inflationHooks.afterEpochEnd?.(context, 'day', 2n);
    expect(getSupply(context, 'achr')).toBe(MAX_UINT256);
  });

  it('does not count a skipped epoch to a period', () => {
    const context = begun();
    setState(context, { skippedEpochs: 1n });
    inflationHooks.afterEpochEnd?.(context, 'day', 3n);
    expect(getState(context).period).toBe(0n);
    inflationHooks.afterEpochEnd?.(context, 'day', 4n);
    expect(getState(context).period).toBe(1n);
  });
});

describe('parameters of inflation', () => {
  const calculation = params.exponentialCalculation!;
  const shares = params.inflationDistribution!;
  it.each([
    [{ mintDenom: ' ' }, 'mint denom cannot be blank'],
    [{ exponentialCalculation: { ...calculation, a: '-1' } }, 'initial value cannot be negative'],
    [{ exponentialCalculation: { ...calculation, r: `${DEC_ONE}0` } }, 'reduction factor cannot be greater than 1'],
    [
      { exponentialCalculation: { ...calculation, a: `1${'0'.repeat(60)}` } },
      'initial value and long term inflation exceed 10^30',
    ],
    [{ exponentialCalculation: { ...calculation, bondingTarget: '0' } }, 'bonded target cannot be zero or negative'],
    [{ inflationDistribution: { ...shares, communityPool: '0' } }, 'total distributions ratio should be 1'],
  ])('are refused for %o: %s', (change, text) => {
    expect(paramsProblem({ ...params, ...change })).toBe(text);
  });

  it('are changed by governance only', () => {
    expect(() => updateParams(contextOf(laterChain(), later), bech32Of('mint'), params)).toThrow('invalid authority');
    const context = contextOf(laterChain(), later);
    updateParams(context, bech32Of('gov'), params);
    expect(() => updateParams(context, bech32Of('gov'), { ...params, mintDenom: '' })).toThrow('mint denom');
  });
});

describe('the genesis of inflation', () => {
  it('is exported and imported again, and refused when it is invalid', () => {
    const inflation = moduleOf('inflation');
    const context = contextOver([]);
    inflation.initGenesis(context, undefined, FACTS);
    const again = contextOver([]);
    inflation.initGenesis(again, JSON.parse(JSON.stringify(inflation.exportGenesis(context))), FACTS);
    expect(entriesIn(again, 'inflation')).toEqual(entriesIn(context, 'inflation'));
    const init = (section: object) => () => inflation.initGenesis(contextOver([]), section, FACTS);
    expect(init({ epoch_identifier: '', epochs_per_period: '1' })).toThrow(GenesisError);
    expect(init({ epoch_identifier: 'day', epochs_per_period: '0' })).toThrow('epochs per period must be positive: 0');
    expect(init({ epoch_identifier: 'day', epochs_per_period: '1', params: {} })).toThrow('mint denom cannot be blank');
  });
});
