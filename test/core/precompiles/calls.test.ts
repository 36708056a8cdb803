/** Calls of precompiles by contracts, over the recorded state of golden chain-a after height 128. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { decodeFunctionResult, encodeFunctionData, hexToBytes, parseAbi, parseEther, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import type { EthereumCallResult } from '../../../src/core/ethereum/api.js';
import { ParamsSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { chain, timeOf } from '../app/recorded-evm.js';
import { crypto, fromHex, stateOf } from '../app/support.js';
import { hexOf, program, push, type Step } from './program.js';
import { recordedWrites } from '../app/recorded-state.js';

const HEIGHT = 128n;
/** Key of the parameters in the store `evm`. */
const PARAMS = Uint8Array.of(3);
const STAKING = addressOf(0x800);
const VESTING = addressOf(0x803);
const BANK = addressOf(0x804);
const TOKEN = fromHex('ee'.repeat(20));
const ACTOR = fromHex('a1'.repeat(20));
const INNER = fromHex('b2'.repeat(20));
const OTHER = fromHex('c3'.repeat(20));
const VALIDATOR = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql';

const ABI = parseAbi([
  'struct Coin { string denom; uint256 amount; }',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
  'function delegation(address delegator, string validator) view returns (uint256 shares, Coin balance)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function supplyOf(address token) view returns (uint256)',
]);

function addressOf(number: number): Uint8Array {
  return fromHex(number.toString(16).padStart(40, '0'));
}

const delegate = (amount: bigint): Step => ({
  to: STAKING,
  data: encodeFunctionData({ abi: ABI, functionName: 'delegate', args: [hexOf(INNER), VALIDATOR, amount] }),
});
const delegation: Step = {
  to: STAKING,
  data: encodeFunctionData({ abi: ABI, functionName: 'delegation', args: [hexOf(INNER), VALIDATOR] }),
  kind: 'static',
};
const transfer = (amount: bigint): Step => ({
  to: TOKEN,
  data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [hexOf(OTHER), amount] }),
});
const balanceOf = (account: Uint8Array): Step => ({
  to: TOKEN,
  data: encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [hexOf(account)] }),
  kind: 'static',
});

describe.skipIf(!hasGolden)('precompile calls', () => {
  const app = createApplication({ version: evmd, chain, crypto, evm: createEngineFactory(loadEngineModule(), crypto) });
  const { ethereum } = app;
  const heights = hasGolden ? readRecordedChain().filter(({ height }) => height <= HEIGHT) : [];
  const state = stateOf(hasGolden ? [...recordedWrites(), ...heights.flatMap(({ writes }) => writes)] : []);
  const time = heights.at(-1)?.block.block.header.time ?? '1970-01-01T00:00:00Z';
  const at = {
    chainId: chain.chainId,
    height: toHeight(HEIGHT),
    time: toTimeNs(timeOf(time)),
    hash: new Uint8Array(32),
    proposer: new Uint8Array(20),
  };
  const funds = parseEther('10');

  /** Calls ACTOR, which runs `outer`; INNER runs `inner`. Both have ten coins. */
  function run(outer: string, inner = '00', gas = 10_000_000n): EthereumCallResult {
    return (
      ethereum?.call(
        state,
        at,
        { to: ACTOR, gas },
        [
          { address: ACTOR, code: fromHex(outer), balance: funds },
          { address: INNER, code: fromHex(inner), balance: funds },
        ],
        {},
      ) ?? { kind: 'refused', message: 'no EVM' }
    );
  }

  const outputOf = (result: EthereumCallResult): Hex => {
    if (result.kind !== 'success') throw new Error(JSON.stringify(result, (_, value) => String(value)));
    return hexOf(result.output);
  };
  const numberOf = (result: EthereumCallResult): bigint => BigInt(outputOf(result));

  test('a delegation by a contract is seen by the next call', () => {
    const output = outputOf(run(program([{ to: INNER }, delegation], 'return'), program([delegate(5n)], 'return')));
    expect(decodeFunctionResult({ abi: ABI, functionName: 'delegation', data: output })).toEqual([
      5n * 10n ** 18n,
      { denom: 'atest', amount: 5n },
    ]);
  });

  test('a frame that reverts undoes its delegation', () => {
    const output = outputOf(run(program([{ to: INNER }, delegation], 'return'), program([delegate(5n)], 'revert')));
    expect(decodeFunctionResult({ abi: ABI, functionName: 'delegation', data: output })).toEqual([
      0n,
      { denom: 'atest', amount: 0n },
    ]);
  });

  test('the EVM sees that a precompile moved coins in bank', () => {
    const balance = `${push(BigInt(hexOf(INNER)))}315f5260205ff3`;
    const after = (inner: string): bigint =>
      numberOf(run(`${program([{ to: INNER }], 'return').slice(0, -14)}${balance}`, inner));
    expect(after('00')).toBe(funds);
    expect(after(program([delegate(7n)], 'return'))).toBe(funds - 7n);
    expect(after(program([delegate(7n)], 'revert'))).toBe(funds);
  });

  test('bank sees a value that the EVM moved in the same transaction, and a token sees it as a balance', () => {
    const before = numberOf(run(program([balanceOf(OTHER)], 'return')));
    const moved = [{ to: OTHER, value: 11n }, transfer(2n), balanceOf(OTHER)];
    expect(numberOf(run(program(moved, 'return')))).toBe(before + 13n);
  });

  test('read-only calls change nothing', () => {
    for (const kind of ['static', 'delegate'] as const) {
      const inner = program([{ ...delegate(5n), kind }], 'return');
      const output = outputOf(run(program([{ to: INNER }, delegation], 'return'), inner));
      expect(decodeFunctionResult({ abi: ABI, functionName: 'delegation', data: output })?.[0]).toBe(0n);
    }
  });

  test('one transaction may make twenty precompile calls, and no more', () => {
    const before = numberOf(run(program([balanceOf(OTHER)], 'return')));
    const many = (count: number): string =>
      program(
        Array.from({ length: count }, () => transfer(1n)),
        'return',
      );
    const balance = `${push(BigInt(hexOf(OTHER)))}315f5260205ff3`;
    const after = (count: number): bigint => numberOf(run(`${many(count).slice(0, -14)}${balance}`));
    expect(after(20)).toBe(before + 20n);
    expect(after(21)).toBe(before + 20n);
  });

  test('a call of a precompile that this version does not have is refused', () => {
    expect(run(program([{ to: VESTING }], 'return'))).toEqual({
      kind: 'refused',
      message: expect.stringContaining('precompiled contract not stored in memory'),
    });
  });

  describe('a precompile that the parameters name', () => {
    /** The result of a call of `to` on a chain whose parameters name these precompiles. */
    function answered(
      named: readonly string[],
      to: Uint8Array,
      data = new Uint8Array(),
    ): EthereumCallResult | undefined {
      const changed = new CacheStore(state);
      const params = fromBinary(ParamsSchema, state.get('evm', PARAMS) ?? new Uint8Array());
      params.activeStaticPrecompiles = [...named];
      changed.set('evm', PARAMS, toBinary(ParamsSchema, params));
      return ethereum?.call(changed, at, { to, data }, [], {});
    }
    const missing = (name: string) => ({
      kind: 'refused',
      message: expect.stringContaining(`precompiled contract not stored in memory: ${name}`),
    });

    test.each([
      ['without 0x', '0000000000000000000000000000000000000804'],
      ['with 0X', '0X0000000000000000000000000000000000000804'],
    ])('%s is absent, as in evmd', (_, name) => {
      expect(answered([name], BANK)).toMatchObject({ kind: 'success', output: new Uint8Array() });
      expect(answered([hexOf(BANK)], BANK)).toMatchObject({ kind: 'revert' });
    });

    test('is one of Ethereum and works as before', () => {
      const [identity, data] = [addressOf(4), Uint8Array.of(7)];
      expect(answered([hexOf(identity)], identity, data)).toMatchObject({ kind: 'success', output: data });
    });

    test('at the address of a token replaces it and fails, unless its name is in lower case', () => {
      const name = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
      expect(answered([name], TOKEN)).toEqual(missing(name));
      const token = { kind: 'success', output: new Uint8Array(), logs: [expect.anything()] };
      expect(answered([name.toLowerCase()], TOKEN)).toMatchObject(token);
    });
  });

  test('an application version without precompiles has none, whatever the parameters name', () => {
    const without = createApplication({
      version: { ...evmd, precompiles: { static: [] } },
      chain,
      crypto,
      evm: createEngineFactory(loadEngineModule(), crypto),
    });
    expect(without.ethereum?.call(state, at, { to: VESTING }, [], {})).toMatchObject({ kind: 'success' });
  });

  test('malformed arguments revert with a reason', () => {
    const data = encodeFunctionData({ abi: ABI, functionName: 'supplyOf', args: [hexOf(OTHER)] });
    const result = ethereum?.call(state, at, { to: BANK, data: hexToBytes(data).slice(0, 20) }, [], {});
    expect(result?.kind).toBe('revert');
    expect(result?.kind === 'revert' && Buffer.from(result.output).toString('latin1')).toContain(
      'length insufficient 16 require 32',
    );
  });

  test('an estimate of a precompile call is enough, and a trace shows the call', () => {
    const request = { from: INNER, to: STAKING, data: hexToBytes(delegate(3n).data ?? '0x') };
    const edits = [{ address: INNER, balance: funds }];
    const estimate = ethereum?.estimateGas(state, at, request, edits);
    if (estimate?.kind !== 'gas') throw new Error('no estimate');
    expect(ethereum?.call(state, at, { ...request, gas: estimate.gas }, edits, {}).kind).toBe('success');
    const trace = ethereum?.traceCall(state, at, request, edits, {}, '{"tracer":"callTracer"}');
    expect(trace).toMatchObject({ ok: true, json: expect.stringContaining(hexOf(STAKING)) });
  });
});
