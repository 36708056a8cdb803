import { describe, expect, test } from 'vitest';
import type { BlockContext } from '../../../src/core/application-requests.js';
import type { EstimateResult, EthereumCallResult } from '../../../src/core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../../src/core/ethereum/call.js';
import type { EvmOverride } from '../../../src/core/evm/state.js';
import { TOKEN_CODE } from '../../../src/core/modules/erc20/token-code.js';
import { EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { createLightCalls, runsAlone } from '../../../src/node/ethereum/light-call.js';

const AT: BlockContext = {
  chainId: 'c',
  height: toHeight(5n),
  time: toTimeNs(0n),
  hash: new Uint8Array(32),
  proposer: new Uint8Array(20),
};
const TO = new Uint8Array(20).fill(9);
const PLAIN = Uint8Array.of(0x60, 0x01, 0x00);

/** Light calls of one contract; the requests to the EVM are recorded. */
function lightOver(
  code: Uint8Array,
  result: EthereumCallResult,
  estimate: EstimateResult = { kind: 'gas', gas: 50_000n },
  tokens: readonly string[] = [],
) {
  const asked: { readonly gas: bigint | undefined; readonly cap: bigint | undefined }[] = [];
  const estimated: (bigint | undefined)[] = [];
  const light = createLightCalls({
    latest: () => EMPTY_STATE,
    tokens,
    ethereum: {
      code: () => code,
      call: (_state, _at, call, _overrides, _block, cap) => {
        asked.push({ gas: call.gas, cap });
        return result;
      },
      estimateGas: (_state, _at, _call, _overrides, _block, budget) => {
        estimated.push(budget);
        return estimate;
      },
    },
  });
  return {
    asked,
    estimated,
    run: (call: EthereumCall) => light.call(call, AT, [], {}),
    estimate: (call: EthereumCall, overrides: readonly EvmOverride[] = [], block: EthereumBlockOverrides = {}) =>
      light.estimateGas(call, AT, overrides, block),
  };
}

const SUCCESS: EthereumCallResult = { kind: 'success', output: Uint8Array.of(7), gasUsed: 100n, logs: [] };

describe('code that runs without calls or GAS', () => {
  test.each([
    ['no code: precompiles and accounts', []],
    ['GAS', [0x5a]],
    ['CREATE', [0x60, 0x00, 0xf0]],
    ['CALL', [0xf1]],
    ['CALLCODE', [0xf2]],
    ['DELEGATECALL', [0xf4]],
    ['CREATE2', [0xf5]],
    ['STATICCALL', [0xfa]],
    ['GAS after the data of a PUSH', [0x61, 0x00, 0x00, 0x5a]],
    ['a delegation (EIP-7702)', [0xef, 0x01, 0x00, ...TO]],
    ['CALL after a JUMPDEST', [0x60, 0x04, 0x56, 0xa2, 0x5b, 0xf1]],
  ])('does not include %s', (_name, code) => expect(runsAlone(Uint8Array.from(code))).toBe(false));

  test.each([
    ['arithmetic', [0x60, 0x01, 0x60, 0x02, 0x01]],
    ['GAS as the data of a PUSH', [0x61, 0x5a, 0xf1, 0x00]],
    ['a PUSH that the end of the code truncates', [0x7f, 0x5a]],
    ['code followed by data that looks like CALL', [0x60, 0x01, 0xfe, 0xa2, 0xf1, 0x5a]],
  ])('includes %s', (_name, code) => expect(runsAlone(Uint8Array.from(code))).toBe(true));
});

describe('a light call', () => {
  test('is not used with block overrides', () => {
    const { estimate } = lightOver(PLAIN, SUCCESS, { kind: 'gas', gas: 30_000n });
    expect([estimate({ to: TO }), estimate({ to: TO }, [], { timestamp: 1n })]).toEqual([
      { kind: 'gas', gas: 30_000n },
      undefined,
    ]);
  });

  test('is not used for a token that a precompile implements', () => {
    const { run, estimate } = lightOver(PLAIN, SUCCESS, { kind: 'gas', gas: 1n }, [`0x${'09'.repeat(20)}`]);
    expect([run({ to: TO }), estimate({ to: TO })]).toEqual([undefined, undefined]);
    const coded = lightOver(Uint8Array.from(Buffer.from(TOKEN_CODE.slice(2), 'hex')), SUCCESS);
    expect([coded.run({ to: TO }), coded.asked]).toEqual([undefined, []]);
  });

  test('runs with at most 300,000 gas', () => {
    const { asked, run } = lightOver(PLAIN, SUCCESS);
    expect(run({ to: TO })).toEqual(SUCCESS);
    run({ to: TO, gas: 50_000_000n });
    run({ to: TO, gas: 30_000n });
    expect(asked).toEqual([undefined, 50_000_000n, 30_000n].map((gas) => ({ gas, cap: 300_000n })));
  });

  test('returns a revert', () => {
    const revert: EthereumCallResult = { kind: 'revert', output: new Uint8Array(4), gasUsed: 100n };
    expect(lightOver(PLAIN, revert).run({ to: TO })).toEqual(revert);
  });

  test.each<[string, EthereumCallResult]>([
    ['a halt, which more gas might prevent', { kind: 'halt', message: 'out of gas', gasUsed: 300_000n }],
    [
      'a refusal, whose text names the gas',
      { kind: 'refused', message: 'err: intrinsic gas too low (supplied gas 300000)' },
    ],
  ])('leaves %s to the pool', (_name, result) => expect(lightOver(PLAIN, result).run({ to: TO })).toBeUndefined());

  test.each<[string, EthereumCall]>([
    ['a creation', { data: PLAIN }],
    ['a gas price', { to: TO, gasPrice: 0n }],
    ['a fee', { to: TO, maxFeePerGas: 1n }],
    ['a tip', { to: TO, maxPriorityFeePerGas: 1n }],
  ])('leaves %s to the pool without running it', (_name, call) => {
    const { asked, run } = lightOver(PLAIN, SUCCESS);
    expect(run(call)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('does not run code that uses GAS', () => {
    const { asked, run } = lightOver(Uint8Array.of(0x5a), SUCCESS);
    expect(run({ to: TO })).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('a light estimate', () => {
  test.each<[string, EstimateResult]>([
    ['the gas', { kind: 'gas', gas: 50_000n }],
    ['a revert', { kind: 'revert', output: new Uint8Array(4), gasUsed: 100n }],
    ['a refusal', { kind: 'refused', message: 'gas required exceeds allowance (40000)' }],
  ])('answers %s found within 300,000 gas in total', (_name, result) => {
    const { estimated, estimate } = lightOver(PLAIN, SUCCESS, result);
    expect(estimate({ to: TO, maxFeePerGas: 1n })).toEqual(result);
    expect(estimated).toEqual([300_000n]);
  });

  test('leaves an estimate that needs more gas to the pool', () => {
    expect(lightOver(PLAIN, SUCCESS, { kind: 'timeout', message: '' }).estimate({ to: TO })).toBeUndefined();
  });

  test('covers a transfer to an account without code', () => {
    expect(lightOver(new Uint8Array(0), SUCCESS).estimate({ to: TO, value: 1n })).toEqual({
      kind: 'gas',
      gas: 50_000n,
    });
  });

  test.each<[string, number[], EthereumCall, readonly EvmOverride[]]>([
    ['a creation', [0x60, 0x01, 0x00], { data: PLAIN }, []],
    ['an edited state', [0x60, 0x01, 0x00], { to: TO }, [{ address: TO, nonce: 1n }]],
    ['code that may call', [0xf1], { to: TO }, []],
    ['data to a precompile', [], { to: TO, data: PLAIN }, []],
    ['an access list without code', [], { to: TO, accessList: [{ address: TO, storageKeys: [] }] }, []],
  ])('leaves %s to the pool without running it', (_name, code, call, overrides) => {
    const { estimated, estimate } = lightOver(Uint8Array.from(code), SUCCESS);
    expect(estimate(call, overrides)).toBeUndefined();
    expect(estimated).toEqual([]);
  });
});
