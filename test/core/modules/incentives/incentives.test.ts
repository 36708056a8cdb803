/** Incentives: registered by governance, metered by gas, and paid from a pool that they never exceed. */
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import {
  allBalances,
  getBalance,
  getSupply,
  setBalance,
  setSupply,
} from '../../../../src/core/modules/bank/balances.js';
import { incentivesEpochHooks, incentivesEthereumHooks } from '../../../../src/core/modules/incentives/hooks.js';
import { cancelIncentive, registerIncentive } from '../../../../src/core/modules/incentives/proposals.js';
import { updateParams, defaultParams } from '../../../../src/core/modules/incentives/params.js';
import {
  getAllocation,
  getGasMeter,
  getIncentive,
  setGasMeter,
} from '../../../../src/core/modules/incentives/store.js';
import {
  CancelIncentiveProposalSchema,
  RegisterIncentiveProposalSchema,
} from '../../../../src/core/proto/evmos/incentives/v1/incentives_pb.js';
import { CHAIN_LIMITS } from '../../../../src/core/limits/limits.js';
import * as pb from '../../../../src/core/proto/evmos/incentives/v1/query_pb.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import type { ExecutedTransaction } from '../../../../src/core/sdk/module/hooks.js';
import { contextOver, FACTS } from '../distribution/support.js';
import { brokenInvariants, contextOf } from '../../app/dev-chain.js';
import { expectFoundedAgain } from '../../app/founded-again.js';
import { bech32Of, later, LATER_CHAIN, laterChain, moduleOf } from '../../app/later-chain.js';
import { crypto, fromHex } from '../../app/support.js';

/** Contracts of the dev genesis: the deployer of CREATE2, and the contract of past hashes. */
const CONTRACTS = ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x0000F90827F1C53a10cb7A02335B175320002935'];
const POOL = moduleAddress(crypto, 'incentives');
const bytesOf = (shown: string): Uint8Array => fromHex(shown.slice(2));
const part = (percent: bigint): string => ((DEC_ONE * percent) / 100n).toString();

const register = (contract: string, percent: bigint, epochs = 2, denom = 'achr') =>
  create(RegisterIncentiveProposalSchema, {
    title: 't',
    description: 'd',
    contract,
    allocations: [{ denom, amount: part(percent) }],
    epochs,
  });

function contextWith(pool: bigint, coin = 'coin'): Context {
  const context = contextOf(laterChain(), later);
  for (const [denom, amount] of [
    ['achr', pool],
    [coin, pool],
  ] as const) {
    setBalance(context, POOL, denom, amount);
    setSupply(context, denom, getSupply(context, denom) + amount);
  }
  return context;
}

/** A transaction as hooks receive it. */
const used = (contract: string, sender: Uint8Array, gasUsed: bigint): ExecutedTransaction =>
  ({ transaction: { to: bytesOf(contract) }, sender, gasUsed, status: 'success' }) as ExecutedTransaction;
const person = (index: number): Uint8Array => Uint8Array.from({ length: 20 }, () => index + 1);

describe('governance', () => {
  it('registers a contract within the limits of an incentive and of the pool', () => {
    const context = contextWith(1000n);
    const [first = '', second = ''] = CONTRACTS;
    registerIncentive(context, register(first, 5n));
    expect(getAllocation(context, 'achr')).toBe(DEC_ONE / 20n);
    expect(context.events.map(({ type }) => type)).toEqual(['register_incentive']);
    const attempt = (proposal: ReturnType<typeof register>) => () => registerIncentive(context, proposal);
    expect(attempt(register(first, 5n))).toThrow(`incentive already registered: ${first}: internal incentives error`);
    expect(attempt(register(second, 6n))).toThrow("allocation for denom 'achr' (0.060000000000000000) cannot be above");
    expect(attempt(register(`0x${'11'.repeat(20)}`, 5n))).toThrow("contract doesn't exist");
    expect(attempt(register(second, 5n, 2, 'foreign'))).toThrow(
      "base denomination 'foreign' cannot have a supply of 0: invalid coins",
    );
    expect(attempt(register('contract', 5n))).toThrow("address 'contract' is not a valid ethereum hex address");
    expect(attempt(register(second, 5n, 0))).toThrow('epochs value (0) cannot be 0');
    updateParams(context, bech32Of('gov'), { ...defaultParams(), allocationLimit: DEC_ONE.toString() });
    expect(attempt(register(second, 96n))).toThrow('allocation for denom achr is lager than 100 percent');
    updateParams(context, bech32Of('gov'), { ...defaultParams(), enableIncentives: false });
    expect(attempt(register(second, 5n))).toThrow('incentives are currently disabled by governance');
  });

  it('cancels an incentive with its gas meters', () => {
    const context = contextWith(1000n);
    const [contract = ''] = CONTRACTS;
    const cancel = create(CancelIncentiveProposalSchema, { title: 't', description: 'd', contract });
    expect(() => cancelIncentive(context, cancel)).toThrow(`unmatching contract '${contract}' : invalid address`);
    registerIncentive(context, register(contract, 5n));
    incentivesEthereumHooks.postTxProcessing(context, used(contract, person(1), 7n));
    cancelIncentive(context, cancel);
    expect([getIncentive(context, bytesOf(contract)), getAllocation(context, 'achr')]).toEqual([undefined, 0n]);
    expect(getGasMeter(context, bytesOf(contract), person(1))).toBeUndefined();
  });
});

describe('a gas meter', () => {
  const [contract = '', other = ''] = CONTRACTS;
  const registered = (): Context => {
    const context = contextWith(1000n);
    registerIncentive(context, register(contract, 5n));
    return context;
  };
  const meter = (context: Context, index: number) => getGasMeter(context, bytesOf(contract), person(index));
  const tell = (context: Context, executed: ExecutedTransaction): void =>
    incentivesEthereumHooks.postTxProcessing(context, executed);

  it('counts transactions to contracts with an incentive only, while incentives are enabled', () => {
    const context = registered();
    const hears = (shown: string) => incentivesEthereumHooks.hears?.(context, used(shown, person(1), 1n));
    expect([hears(contract), hears(other)]).toEqual([true, false]);
    updateParams(context, bech32Of('gov'), { ...defaultParams(), enableIncentives: false });
    expect(hears(contract)).toBe(false);
    tell(context, used(contract, person(1), 100n));
    incentivesEpochHooks.afterEpochEnd?.(context, 'week', 2n);
    expect([allBalances(context, person(1)), getIncentive(context, bytesOf(contract))?.epochs]).toEqual([[], 2]);
  });

  it('counts no failed transaction, and at most 64 bits of gas for a contract', () => {
    const context = registered();
    tell(context, { ...used(contract, person(1), 7n), status: 'failed' });
    expect(meter(context, 1)).toBeUndefined();
    tell(context, used(contract, person(1), (1n << 64n) - 1n));
    tell(context, used(contract, person(2), 1n));
    expect([meter(context, 1), meter(context, 2)]).toEqual([(1n << 64n) - 1n, undefined]);
  });

  it('exists for a bounded number of participants', () => {
    const context = registered();
    for (let index = 1; index < CHAIN_LIMITS.participantsOfIncentive; index += 1)
      setGasMeter(context, bytesOf(contract), Uint8Array.of(255, index >> 8, index & 255, ...new Uint8Array(17)), 1n);
    for (const index of [1, 2, 1]) tell(context, used(contract, person(index), 5n));
    expect([meter(context, 1), meter(context, 2)]).toEqual([10n, undefined]);
  });
});

describe('the end of an epoch', () => {
  const [contract = '', other = ''] = CONTRACTS;

  it('pays participants by their gas, at most 1.2 times of it in the EVM coin, and counts down', () => {
    const context = contextWith(10_000n);
    registerIncentive(context, {
      ...register(contract, 5n),
      allocations: [register(contract, 5n).allocations[0]!, register(contract, 5n, 2, 'coin').allocations[0]!],
    });
    for (const [sender, gas] of [
      [person(1), 100n],
      [person(2), 200n],
      [person(1), 100n],
      [moduleAddress(crypto, 'gov'), 100n],
    ] as const)
      incentivesEthereumHooks.postTxProcessing(context, used(contract, sender, gas));
    incentivesEpochHooks.afterEpochEnd?.(context, 'day', 2n);
    expect(allBalances(context, person(1))).toEqual([]);
    incentivesEpochHooks.afterEpochEnd?.(context, 'week', 2n);
    // 500 of each coin: two fifths for each person; the last fifth is of an account that may receive no coins
    expect([1, 2].map((index) => allBalances(context, person(index)).map(({ amount }) => amount))).toEqual([
      ['200', '200'],
      ['200', '200'],
    ]);
    expect(getBalance(context, POOL, 'achr')).toBe(9_600n);
    expect(getIncentive(context, bytesOf(contract))).toMatchObject({ epochs: 1, totalGas: 0n });
    // little gas: the reward in the EVM coin, and in no other one, is capped at 1.2 times the gas
    incentivesEthereumHooks.postTxProcessing(context, used(contract, person(3), 10n));
    incentivesEpochHooks.afterEpochEnd?.(context, 'week', 3n);
    expect(allBalances(context, person(3)).map(({ denom, amount }) => denom + amount)).toEqual(['achr12', 'coin480']);
    expect(getIncentive(context, bytesOf(contract))).toBeUndefined();
    expect(getAllocation(context, 'coin')).toBe(0n);
  });

  it('never pays more than the allocated parts of the pool, and pays nothing twice', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 12n),
        fc.tuple(fc.bigInt(1n, 100n), fc.bigInt(1n, 100n)).filter(([a, b]) => a + b <= 100n),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 }), fc.bigInt(1n, 10n ** 9n)), { maxLength: 20 }),
        (pool, [a, b], transactions) => {
          const context = contextWith(pool);
          updateParams(context, bech32Of('gov'), { ...defaultParams(), allocationLimit: DEC_ONE.toString() });
          if (pool > 0n) {
            registerIncentive(context, register(contract, a, 2, 'coin'));
            registerIncentive(context, register(other, b, 2, 'coin'));
          }
          for (const [isFirst, index, gas] of transactions)
            incentivesEthereumHooks.postTxProcessing(context, used(isFirst ? contract : other, person(index), gas));
          incentivesEpochHooks.afterEpochEnd?.(context, 'week', 2n);
          const left = getBalance(context, POOL, 'coin');
          expect(left >= pool - (pool * (a + b)) / 100n).toBe(true);
          incentivesEpochHooks.afterEpochEnd?.(context, 'week', 3n);
          expect(getBalance(context, POOL, 'coin')).toBe(left);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('queries and genesis', () => {
  const [contract = '', other = ''] = CONTRACTS;
  const section = {
    params: {
      enable_incentives: true,
      allocation_limit: '0.05',
      incentives_epoch_identifier: 'week',
      reward_scaler: '1',
    },
    incentives: [{ contract, allocations: [{ denom: 'achr', amount: '0.05' }], epochs: 3, total_gas: '9' }],
    gas_meters: [{ contract, participant: other, cumulative_gas: '9' }],
  };

  it('answer from a genesis, whose export starts the same chain', () => {
    const dev = laterChain({ incentives: section });
    const meter = dev.query(
      '/evmos.incentives.v1.Query/GasMeters',
      pb.QueryGasMetersRequestSchema,
      { contract },
      pb.QueryGasMetersResponseSchema,
    );
    expect(meter.gasMeters).toMatchObject([{ contract, participant: other, cumulativeGas: 9n }]);
    const meters = dev.query(
      '/evmos.incentives.v1.Query/AllocationMeters',
      pb.QueryAllocationMetersRequestSchema,
      {},
      pb.QueryAllocationMetersResponseSchema,
    );
    expect(meters.allocationMeters).toMatchObject([{ denom: 'achr', amount: part(5n) }]);
    const one = (shown: string) => () =>
      dev.query(
        '/evmos.incentives.v1.Query/Incentive',
        pb.QueryIncentiveRequestSchema,
        { contract: shown },
        pb.QueryIncentiveResponseSchema,
      );
    expect(one(contract)().incentive).toMatchObject({ epochs: 3, totalGas: 9n });
    expect(one('')).toThrow('rpc error: code = InvalidArgument desc = contract address is empty');
    expect(one('x')).toThrow("invalid format for contract x, should be hex ('0x...')");
    expect(one(other)).toThrow(`rpc error: code = NotFound desc = incentive with contract '${other}'`);
    dev.block();
    expect(brokenInvariants(dev, later)).toEqual([]);
    expectFoundedAgain(dev.state, { version: chronicle, chain: LATER_CHAIN, at: dev.at(), founding: dev.founding });
  });

  it.each([
    [{ ...section, incentives: [{ ...section.incentives[0], epochs: 0 }] }, 'epoch cannot be 0'],
    [{ ...section, incentives: [section.incentives[0], section.incentives[0]] }, 'contract duplicated on genesis'],
    [{ ...section, incentives: [{ ...section.incentives[0], contract: '0x1' }] }, 'not an address in hexadecimal: 0x1'],
    [
      {
        ...section,
        incentives: [contract, other].map((one) => ({
          ...section.incentives[0],
          contract: one,
          allocations: [{ denom: 'achr', amount: '0.6' }],
        })),
      },
      'allocations of achr are more than all of it',
    ],
    [{ ...section, gas_meters: [section.gas_meters[0], section.gas_meters[0]] }, 'gas meter duplicated on genesis'],
  ])('refuse the genesis %o', (wrong, text) => {
    expect(() => moduleOf('incentives').initGenesis(contextOver([]), wrong, FACTS)).toThrow(text);
  });
});
