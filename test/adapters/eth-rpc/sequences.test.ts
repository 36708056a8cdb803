/** Methods that run calls in sequence, and methods over struct logs: their parameters, answers and refusals. */
import { describe, expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import type { SequencedCall } from '../../../src/core/ethereum/call-sequence.js';
import { refuseLongSequence } from '../../../src/core/ethereum/call-sequence.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { ETHEREUM_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { REPLAY_TRACERS } from '../../../src/adapters/eth-rpc/traces/parity.js';
import { MACHINE_STATES } from '../../../src/adapters/eth-rpc/traces/vm-trace.js';
import { opcodeGas } from '../../../src/adapters/eth-rpc/methods/opcode-gas.js';
import { CHAIN_ID, CONTRACT, crypto, OTHER, SENDER, TOPIC, bytes, signed } from './fake-node.js';
import { type Face, openFace, timers } from './face.js';

const other = hexData(OTHER);
const ONE = `0x${'01'.repeat(32)}`;

async function answer(face: Face, name: string, ...params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await face.call(name, ...params);
  return error === undefined ? result : [error.code, error.message];
}

const done = (outcome: SequencedCall['outcome'], more: Partial<SequencedCall> = {}): SequencedCall => ({
  ...{ from: SENDER, gasUsed: 21_000n, tip: 0n, coinbaseBalance: 0n },
  ...more,
  outcome,
});

describe('eth_callMany', () => {
  it("runs bundles on each other's state, and returns the value or the error of each call", async () => {
    const face = openFace();
    const reason = bytes(`08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}6e6f${'0'.repeat(60)}`);
    face.node.sequence = {
      kind: 'done',
      coinbaseBefore: 0n,
      traces: [],
      blocks: [
        [done({ kind: 'success', output: bytes('2a') }), done({ kind: 'revert', output: reason })],
        [done({ kind: 'revert', output: bytes('') }), done({ kind: 'halt', message: 'out of gas' })],
      ],
    };
    const call = { from: hexData(SENDER), to: other, input: '0xab', gas: '0x5208' };
    const result = await answer(
      face,
      'eth_callMany',
      [{ transactions: [call], blockOverride: { number: '0x9', time: '0x77' } }, { transactions: [] }],
      { blockNumber: '0x2', transactionIndex: -1 },
      { [other]: { balance: '0x1' } },
    );
    expect(result).toEqual([
      [{ value: '0x2a' }, { error: 'no' }],
      [{ error: 'execution reverted' }, { error: 'out of gas' }],
    ]);
    expect(face.node.asked.sequences).toEqual([
      [
        {
          accounts: [{ address: OTHER, balance: 1n }],
          blocks: [
            {
              block: { number: 9n, timestamp: 0x77n },
              calls: [{ from: SENDER, to: OTHER, gas: 21_000n, data: bytes('ab'), tracers: [] }],
            },
            { block: {}, calls: [] },
          ],
          validation: false,
        },
        2n,
      ],
    ]);
    await answer(face, 'eth_callMany', [{ transactions: [] }]);
    expect(face.node.asked.sequences[1]?.[1]).toBe(4n);
  });

  it('accepts block overrides by the names of geth, of Erigon and of anvil', async () => {
    const face = openFace();
    const geths = { number: '0x9', time: '0x77', gasLimit: '0x5208', feeRecipient: other, prevRandao: ONE };
    const erigons = { blockNumber: '0x9', timestamp: '0x77', gasLimit: '0x5208', coinbase: other, random: ONE };
    const bundles = [
      { transactions: [], blockOverride: { ...geths, baseFeePerGas: '0x3' } },
      { transactions: [], blockOverride: { ...erigons, baseFee: '0x3', difficulty: '0x2' } },
      { transactions: [], blockOverride: { ...geths, baseFeePerGas: '0x3', blockNumber: null, blockHash: null } },
    ];
    face.node.sequence = { kind: 'done', coinbaseBefore: 0n, traces: [], blocks: [[], [], []] };
    expect(await answer(face, 'eth_callMany', bundles)).toEqual([[], [], []]);
    const block = {
      ...{ number: 9n, timestamp: 0x77n, gasLimit: 21_000n, coinbase: OTHER, baseFee: 3n },
      prevRandao: bytes(ONE.slice(2)),
    };
    const blocks = Array.from({ length: 3 }, () => ({ block, calls: [] }));
    expect(face.node.asked.sequences).toEqual([[{ accounts: [], blocks, validation: false }, 4n]]);
    await answer(face, 'eth_call', { to: other }, 'latest', {}, { blockNumber: '0x9', time: '0x77' });
    expect(face.node.asked.calls.at(-1)).toContainEqual({ timestamp: 0x77n });
  });

  it.each<[readonly unknown[], string]>([
    [[[]], 'bundles are empty.'],
    [['x'], 'json: cannot unmarshal string into Go value of type []Bundle'],
    [[[1]], 'json: cannot unmarshal number into Go value of type Bundle'],
    [[[{}]], "missing required field 'transactions' for Bundle"],
    [[[{ transactions: null }]], "missing required field 'transactions' for Bundle"],
    [[[{ transactions: {} }]], 'json: cannot unmarshal object into Go struct field Bundle.transactions'],
    ...(
      [
        ['number', 'blockNumber', '0x1'],
        ['time', 'timestamp', '0x1'],
        ['feeRecipient', 'coinbase', other],
        ['prevRandao', 'random', ONE],
        ['baseFeePerGas', 'baseFee', '0x1'],
      ] as const
    ).map(([geths, others, value]): [readonly unknown[], string] => [
      [[{ transactions: [], blockOverride: { [geths]: value, [others]: value } }]],
      `both block overrides "${geths}" and "${others}" specified`,
    ]),
    ...['blockHash', 'beaconRoot', 'withdrawals'].map((name): [readonly unknown[], string] => [
      [[{ transactions: [], blockOverride: { [name]: {} } }]],
      `block override "${name}" is not supported for this RPC method`,
    ]),
    [
      [[{ transactions: [], blockOverride: { timestamp: 1 } }]],
      'json: cannot unmarshal non-string into Go struct field BlockOverrides.timestamp of type hexutil.Uint64',
    ],
    [
      [[{ transactions: [], blockOverride: { difficulty: '2' } }]],
      'json: cannot unmarshal hex string without 0x prefix into Go struct field BlockOverrides.difficulty of type hexutil.Big',
    ],
    [
      [Array.from({ length: ETHEREUM_LIMITS.simulatedBlocks + 1 }, () => ({ transactions: [] }))],
      'limit simulatedBlocks (256) exceeded',
    ],
    [
      [[{ transactions: Array.from({ length: ETHEREUM_LIMITS.simulatedCallsOfBlock + 1 }, () => ({})) }]],
      'limit simulatedCallsOfBlock (5000) exceeded',
    ],
  ])('refuses invalid bundles (case %#)', async (params, message) => {
    const face = openFace();
    expect(await answer(face, 'eth_callMany', ...params)).toEqual([-32602, `invalid argument 0: ${message}`]);
    expect(face.node.asked.sequences).toEqual([]);
  });

  it('refuses a transaction index, as anvil does, and returns refusals of the node', async () => {
    const face = openFace();
    const bundles = [{ transactions: [{ to: other }] }];
    expect(await answer(face, 'eth_callMany', bundles, { transactionIndex: 3 })).toEqual([
      -32602,
      'invalid argument 1: transactionIndex is not supported for eth_callMany yet',
    ]);
    expect(await answer(face, 'eth_callMany', bundles, { transactionIndex: 'x' })).toEqual([
      -32602,
      'invalid argument 1: transactionIndex is not a number',
    ]);
    expect(await answer(face, 'eth_callMany', bundles, { blockNumber: '0x99' })).toEqual([-32000, 'header not found']);
    face.node.sequence = { kind: 'refused', reason: 'insufficient-funds', message: 'too poor' };
    expect(await answer(face, 'eth_callMany', bundles)).toEqual([-38014, 'too poor']);
    face.node.sequence = { kind: 'timeout' };
    expect(await answer(face, 'eth_callMany', bundles)).toEqual([-32000, 'execution aborted (timeout)']);
  });
});

it('a sequence is limited to as many blocks and calls as a simulation', () => {
  const calls = (length: number) => Array.from({ length }, () => ({ tracers: [] }));
  const most = ETHEREUM_LIMITS.simulatedCallsOfBlock;
  const blocks = (...counts: readonly number[]) => ({ blocks: counts.map((n) => ({ block: {}, calls: calls(n) })) });
  expect(refuseLongSequence(blocks(most - 1, 1))).toBeUndefined();
  expect(refuseLongSequence(blocks(most, 1))).toMatchObject({ message: 'limit simulatedCallsOfBlock (5000) exceeded' });
  expect(refuseLongSequence(blocks(...Array.from({ length: 257 }, () => 0)))).toMatchObject({
    message: 'limit simulatedBlocks (256) exceeded',
  });
});

describe('eth_callBundle', () => {
  const raws = [legacy(0n), legacy(1n)];
  const txs = raws.map(hexData);

  it('returns the payment of each transaction to the coinbase, and the sum', async () => {
    const face = openFace();
    face.node.sequence = {
      kind: 'done',
      coinbaseBefore: 100n,
      traces: [],
      blocks: [
        [
          done({ kind: 'success', output: bytes('2a') }, { tip: 2n, coinbaseBalance: 42_105n }),
          done({ kind: 'revert', output: bytes('ff') }, { tip: 1n, coinbaseBalance: 63_105n }),
        ],
      ],
    };
    const hashes = raws.map((raw) => crypto.keccak256(raw));
    const one = { fromAddress: hexData(SENDER), gasUsed: 21_000, toAddress: other };
    const bundle = { txs, blockNumber: '0x9', stateBlockNumber: 'latest', coinbase: hexData(CONTRACT), baseFee: 7 };
    expect(await answer(face, 'eth_callBundle', bundle)).toEqual({
      bundleHash: hexData(crypto.keccak256(concat(...hashes))),
      bundleGasPrice: '1',
      coinbaseDiff: '63005',
      ethSentToCoinbase: '5',
      gasFees: '63000',
      stateBlockNumber: 4,
      totalGasUsed: 42_000,
      results: [
        {
          ...one,
          ...{ coinbaseDiff: '42005', ethSentToCoinbase: '5', gasFees: '42000', gasPrice: '2', value: '0x2a' },
          txHash: hexData(hashes[0] ?? bytes('')),
        },
        {
          ...one,
          ...{ coinbaseDiff: '21000', ethSentToCoinbase: '0', gasFees: '21000', gasPrice: '1', revert: '0xff' },
          txHash: hexData(hashes[1] ?? bytes('')),
        },
      ],
    });
    const [[sequence] = []] = face.node.asked.sequences;
    expect(sequence).toMatchObject({
      validation: true,
      blocks: [
        {
          block: { number: 9n, coinbase: CONTRACT, baseFee: 7n, timestamp: 1_800_000_016n },
          calls: [{ from: SENDER, nonce: 0n, gas: 100_000n, gasPrice: 2_000_000_000n }, { nonce: 1n }],
        },
      ],
    });
  });

  it('recovers the signers of a long bundle over many turns', async () => {
    const turns = { ended: 0 };
    const face = openFace({
      timers: {
        ...timers,
        yield() {
          turns.ended += 1;
          return timers.yield();
        },
      },
    });
    face.node.sequence = { kind: 'done', coinbaseBefore: 0n, traces: [], blocks: [] };
    const { ethSignersPerTurn } = FIXED_LIMITS;
    const { bundleTransactions } = ETHEREUM_LIMITS;
    const bundle = (length: number) => ({ txs: Array.from({ length }, () => txs[0]), blockNumber: 1 });
    await answer(face, 'eth_callBundle', bundle(ethSignersPerTurn));
    expect(turns.ended).toBe(0);
    const hashes = Array.from({ length: bundleTransactions }, () => crypto.keccak256(raws[0] ?? bytes('')));
    expect(await answer(face, 'eth_callBundle', bundle(bundleTransactions))).toMatchObject({
      bundleHash: hexData(crypto.keccak256(concat(...hashes))),
    });
    expect(turns.ended).toBe(bundleTransactions / ethSignersPerTurn - 1);
  });

  it.each<[object, string]>([
    [{ blockNumber: 1 }, 'invalid argument 0: bundle missing txs'],
    [{ txs: [], blockNumber: 1 }, 'invalid argument 0: bundle missing txs'],
    [{ txs }, 'invalid argument 0: bundle missing blockNumber'],
    [{ txs, blockNumber: 0 }, 'invalid argument 0: bundle missing blockNumber'],
    [{ txs, blockNumber: 1, timestamp: 'x' }, 'invalid argument 0: EthCallBundle.timestamp is not a number'],
    [{ txs: Array.from({ length: 257 }, () => '0x') }, 'invalid argument 0: limit bundleTransactions (256) exceeded'],
    [{ txs: ['0x01'], blockNumber: 1 }, 'typed transaction too short'],
  ])('refuses invalid bundles (case %#)', async (bundle, message) => {
    const face = openFace();
    expect(await answer(face, 'eth_callBundle', bundle)).toEqual([-32602, message]);
    expect(face.node.asked.sequences).toEqual([]);
  });
});

const REPLAYED = JSON.stringify({
  flatCallTracer: [{ type: 'call', action: {}, blockNumber: 4, subtraces: 0, traceAddress: [] }],
  prestateTracer: { pre: {}, post: {} },
  callTracer: { output: '0x2a' },
});
const STRUCT_LOGS = JSON.stringify({ structLogs: [{ pc: 0, op: 'STOP', gas: 9, gasCost: 0, depth: 1, stack: [] }] });
const traced = (...texts: readonly string[]) => texts.map((json) => ({ ok: true, json }) as const);
const sequenceOf = (traces: ReturnType<typeof traced>) =>
  ({ kind: 'done', blocks: [], coinbaseBefore: 0n, traces }) as const;

describe('traces of sequences and transactions', () => {
  it("trace_callMany returns the requested kinds of traces of calls on each other's state", async () => {
    const face = openFace({ dev: true });
    face.node.sequence = sequenceOf(traced(REPLAYED, REPLAYED, STRUCT_LOGS));
    const call = { from: hexData(SENDER), to: hexData(CONTRACT) };
    expect(
      await answer(
        face,
        'trace_callMany',
        [
          [call, ['trace']],
          [call, ['vmTrace']],
        ],
        '0x2',
      ),
    ).toEqual([
      {
        output: '0x2a',
        stateDiff: null,
        trace: [{ type: 'call', action: {}, subtraces: 0, traceAddress: [] }],
        vmTrace: null,
      },
      {
        ...{ output: '0x2a', stateDiff: null, trace: [] },
        vmTrace: {
          code: '0x6001',
          ops: [{ pc: 0, cost: 0, op: 'STOP', ex: { push: [], mem: null, store: null, used: 9 }, sub: null }],
        },
      },
    ]);
    const [[sequence, height] = []] = face.node.asked.sequences;
    expect([sequence, height]).toMatchObject([
      {
        validation: false,
        blocks: [{ calls: [{ tracers: [REPLAY_TRACERS] }, { tracers: [REPLAY_TRACERS, MACHINE_STATES] }] }],
      },
      2n,
    ]);
    for (const [calls, message] of [
      ['x', 'json: cannot unmarshal string into Go value of type []TraceCall'],
      [[[call]], 'not a pair of a call and the kinds of its traces'],
      [[[call, ['x']]], 'unknown trace type "x"'],
      [Array.from({ length: 5_001 }, () => []), 'limit simulatedCallsOfBlock (5000) exceeded'],
    ] as const)
      expect(await answer(face, 'trace_callMany', calls)).toEqual([-32602, `invalid argument 0: ${message}`]);
    face.node.sequence = sequenceOf([]);
    expect(await answer(face, 'trace_callMany', [[call, []]])).toEqual([-32000, 'the call was not traced']);
  });

  it('trace_callMany limits all its VM traces together to `vmTraceBytes`', async () => {
    const face = openFace({ dev: true });
    const half = STRUCT_LOGS + ' '.repeat(ETHEREUM_LIMITS.vmTraceBytes / 2 - STRUCT_LOGS.length);
    const call = { from: hexData(SENDER), to: hexData(CONTRACT) };
    const [states, none] = [
      [call, ['vmTrace']],
      [call, []],
    ];
    face.node.sequence = sequenceOf(traced(REPLAYED, half, REPLAYED, REPLAYED, half));
    const vm = { vmTrace: { code: '0x6001' } };
    expect(await answer(face, 'trace_callMany', [states, none, states])).toMatchObject([vm, { vmTrace: null }, vm]);
    face.node.sequence = sequenceOf(traced(REPLAYED, half, REPLAYED, REPLAYED, `${half} `));
    expect(await answer(face, 'trace_callMany', [states, none, states])).toEqual([
      -32602,
      'limit vmTraceBytes (8388608) exceeded',
    ]);
  });

  it('trace_rawTransaction traces a signed transaction that is checked and not sent', async () => {
    const face = openFace({ dev: true });
    face.node.sequence = sequenceOf(traced(REPLAYED));
    const raw = hexData(legacy(0n));
    expect(await answer(face, 'trace_rawTransaction', raw, ['trace'])).toMatchObject({ output: '0x2a' });
    expect(face.node.asked.sequences[0]?.[0]).toMatchObject({
      validation: true,
      blocks: [{ calls: [{ from: SENDER, to: OTHER, nonce: 0n, gasPrice: 2_000_000_000n }] }],
    });
    expect(face.node.asked.sent).toEqual([]);
    const foreign = legacy(0n, CHAIN_ID + 1n);
    expect(await answer(face, 'trace_rawTransaction', hexData(foreign), [])).toEqual([
      -32000,
      expect.stringContaining('invalid chain id'),
    ]);
  });

  it('count gas by instruction without the gas that calls pass on', async () => {
    const step = (op: string, gas: number, gasCost: number, depth = 1) => ({ op, gas, gasCost, depth });
    const structLogs = [
      step('PUSH1', 1_000, 3),
      step('PUSH1', 997, 3),
      // Passes 800 gas to a frame, in whose first step it appears.
      step('CALL', 994, 900),
      step('STOP', 800, 0, 2),
      // Passes 500 gas to a precompiled contract, which uses 60.
      step('STATICCALL', 894, 600),
      step('CREATE', 734, 700),
    ];
    expect(opcodeGas(JSON.stringify({ structLogs }))).toEqual([
      { opcode: 'PUSH1', count: 2, gasUsed: 6 },
      { opcode: 'CALL', count: 1, gasUsed: 100 },
      { opcode: 'STOP', count: 1, gasUsed: 0 },
      { opcode: 'STATICCALL', count: 1, gasUsed: 160 },
      { opcode: 'CREATE', count: 1, gasUsed: 700 },
    ]);
    const face = openFace({ dev: true });
    face.node.trace = STRUCT_LOGS;
    const block = face.node.blocks[3];
    const hashes = block?.transactions.map(({ hash }) => hexData(hash)) ?? [];
    const gas = hashes.map((transactionHash) => ({
      transactionHash,
      opcodeGas: [{ opcode: 'STOP', count: 1, gasUsed: 0 }],
    }));
    expect(await answer(face, 'trace_transactionOpcodeGas', hashes[0])).toEqual(gas[0]);
    expect(await answer(face, 'trace_transactionOpcodeGas', ONE)).toBeNull();
    expect(await answer(face, 'trace_blockOpcodeGas', '0x3')).toEqual({
      blockHash: hexData(block?.hash ?? bytes('')),
      blockNumber: 3,
      transactions: gas,
    });
    expect(await answer(face, 'trace_blockOpcodeGas', '0x99')).toEqual([-32000, 'block #153 not found']);
  });
});

describe('debug methods for single values of the state', () => {
  it('return code by its hash, and by its database key', async () => {
    const face = openFace({ dev: true });
    const hash = hexData(TOPIC);
    expect(await answer(face, 'debug_codeByHash', hash)).toBe('0x6001');
    expect(await answer(face, 'debug_codeByHash', ONE, '0x2')).toBeNull();
    expect(await answer(face, 'debug_codeByHash', ONE, '0x99')).toEqual([-32000, 'header not found']);
    expect(await answer(face, 'debug_dbGet', `0x63${hash.slice(2)}`)).toBe('0x6001');
    expect((await face.callOtherwise('debug_dbGet', `c${'x'.repeat(32)}`)).result).toBeNull();
    for (const [key, message] of [
      ['0x6', 'Invalid hex key'],
      ['abc', 'Invalid key length: expected 33 bytes, got 3'],
      [`0x64${hash.slice(2)}`, 'Key prefix must be 0x63 for code hash lookups'],
    ] as const)
      expect(await answer(face, 'debug_dbGet', key)).toEqual([-32602, `invalid argument 0: ${message}`]);
  });

  it('return an account right after a transaction', async () => {
    const face = openFace({ dev: true });
    expect(await answer(face, 'debug_accountInfoAt', '0x3', '0x1', other)).toEqual({
      balance: '0x7',
      nonce: '0x1',
      code: '0x6001',
    });
    expect(face.node.asked.calls).toEqual([[face.node.blocks[3]?.transactions[1]?.hash, OTHER]]);
    expect(await answer(face, 'debug_accountInfoAt', '0x3', '0x2', other)).toEqual([
      -32602,
      'tx_index 2 out of bounds for block with 2 transactions',
    ]);
    expect(await answer(face, 'debug_accountInfoAt', '0x99', '0x0', other)).toEqual([-32000, 'block #153 not found']);
  });

  it('refuse values that this chain lacks or, like reth and anvil, answer null', async () => {
    const face = openFace({ dev: true });
    expect(await answer(face, 'debug_executionWitness', '0x3')).toEqual([
      -32602,
      expect.stringContaining('debug_executionWitness is not supported'),
    ]);
    expect(await answer(face, 'debug_freeOSMemory')).toBeNull();
    expect(await answer(face, 'debug_getModifiedAccountsByNumber', 1, 2)).toBeNull();
  });
});

function legacy(nonce: bigint, chainId = CHAIN_ID): Uint8Array {
  const fields = { type: 0, nonce, chainId, gasLimit: 100_000n, to: OTHER, value: 5n, data: bytes('') } as const;
  return encodeTransaction(signed({ ...fields, gasPrice: 2_000_000_000n }));
}
