/** Parameters, limits and codes of `eth_simulateV1`, and its OpenRPC schema, over a fake node. */
import { describe, expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { planSimulation, type SimulationRefusal } from '../../../src/core/ethereum/simulation.js';
import { CONTRACT, OTHER, SENDER, TOPIC, bytes } from './fake-node.js';
import { type Answered, openFace } from './face.js';

const refusal = ({ error }: Answered): readonly unknown[] => [error?.code, error?.message];
const other = hexData(OTHER);

describe('eth_simulateV1', () => {
  it('passes blocks, overrides and calls to the node, and returns its result', async () => {
    const face = openFace();
    const { result: head } = await face.call('eth_getBlockByNumber', 'latest', false);
    const made = [{ ...(head as object), calls: [] }];
    face.node.simulation = { kind: 'blocks', json: JSON.stringify(made) };
    const answer = await face.call(
      'eth_simulateV1',
      {
        blockStateCalls: [
          {
            blockOverrides: {
              number: '0x9',
              time: '0x77',
              feeRecipient: other,
              beaconRoot: hexData(TOPIC),
              blobBaseFee: '0x5',
              withdrawals: [{ index: '0x1', validatorIndex: '0x2', address: other, amount: '0x3' }],
            },
            stateOverrides: { [other]: { balance: '0x1', movePrecompileToAddress: hexData(CONTRACT) } },
            calls: [{ from: hexData(SENDER), to: other, input: '0xab', gas: '0x5208' }],
          },
          {},
        ],
        traceTransfers: true,
        returnFullTransactions: true,
      },
      '0x2',
    );
    expect(answer.result).toEqual(made);
    expect(face.node.asked.simulations).toEqual([
      [
        {
          blocks: [
            {
              block: {
                number: 9n,
                timestamp: 0x77n,
                coinbase: OTHER,
                blobBaseFee: 5n,
                beaconRoot: TOPIC,
                withdrawals: [{ index: 1n, validatorIndex: 2n, address: OTHER, amount: 3n }],
              },
              accounts: [{ address: OTHER, balance: 1n, movePrecompileTo: CONTRACT }],
              calls: [{ from: SENDER, to: OTHER, gas: 21_000n, data: bytes('ab') }],
            },
            { block: {}, accounts: [], calls: [] },
          ],
          traceTransfers: true,
          validation: false,
          fullTransactions: true,
          failureCodes: { revert: 3, halt: -32_015 },
        },
        2n,
        32 * 1024 * 1024,
      ],
    ]);
  });

  it.each<[unknown, number, string]>([
    [{}, -32602, 'empty input'],
    ['x', -32602, 'invalid argument 0: json: cannot unmarshal string into Go value of type ethapi.simOpts'],
    [
      { blockStateCalls: [{}], validation: 1 },
      -32602,
      'invalid argument 0: json: cannot unmarshal number into Go struct field simOpts.validation of type bool',
    ],
    [
      { blockStateCalls: 1 },
      -32602,
      'invalid argument 0: json: cannot unmarshal number into Go struct field simOpts.blockStateCalls of type []ethapi.simBlock',
    ],
    [{ blockStateCalls: [{ calls: [{ gas: 'x' }] }] }, -32602, ''],
    [{ blockStateCalls: [{ blockOverrides: { beaconRoot: '0x1' } }] }, -32602, ''],
    [{ blockStateCalls: [{ blockOverrides: { withdrawals: [1] } }] }, -32602, ''],
    [
      { blockStateCalls: Array.from({ length: 257 }, () => ({})) },
      -38026,
      'too many blocks, limit simulatedBlocks (256)',
    ],
    [
      { blockStateCalls: [{ calls: Array.from({ length: 5_001 }, () => ({})) }] },
      -38026,
      'too many calls in block: 5001 > 5000, limit simulatedCallsOfBlock',
    ],
    [
      { blockStateCalls: Array.from({ length: 3 }, () => ({ calls: Array.from({ length: 4_000 }, () => ({})) })) },
      -38026,
      'too many calls: 12000 > 10000, limit simulatedCalls',
    ],
    [
      { blockStateCalls: [{ stateOverrides: { [other]: { state: {}, stateDiff: {} } } }] },
      -32000,
      `account ${other} has both 'state' and 'stateDiff'`,
    ],
    [
      { blockStateCalls: [{ calls: [{ chainId: '0x7' }] }] },
      -32000,
      "chainId does not match node's (have=7, want=9000)",
    ],
  ])('refuses %j', async (options, code, message) => {
    const face = openFace({ limits: { jsonParts: 1_000_000 } });
    const refused = refusal(await face.call('eth_simulateV1', options));
    expect(refused[0]).toBe(code);
    expect(refused[1]).toContain(message);
    expect(face.node.asked.simulations).toEqual([]);
  });

  it('answers an error for a missing state, and gives each refusal its code', async () => {
    const face = openFace();
    const asked = { blockStateCalls: [{}] };
    expect(refusal(await face.call('eth_simulateV1', asked, '0xff'))).toEqual([-32000, 'header not found']);
    const codes: Readonly<Record<SimulationRefusal, number>> = {
      'nonce-too-low': -38010,
      'nonce-too-high': -38011,
      'base-fee-too-low': -38012,
      'intrinsic-gas': -38013,
      'insufficient-funds': -38014,
      'block-gas-limit': -38015,
      'block-number-order': -38020,
      'block-timestamp-order': -38021,
      'initcode-size': -38025,
      'client-limit': -38026,
      'invalid-params': -32602,
      internal: -32603,
      plain: -32000,
    };
    for (const [reason, code] of Object.entries(codes)) {
      face.node.simulation = { kind: 'refused', reason: reason as SimulationRefusal, message: reason };
      expect(refusal(await face.call('eth_simulateV1', asked))).toEqual([code, reason]);
    }
    face.node.simulation = { kind: 'timeout' };
    expect(refusal(await face.call('eth_simulateV1', asked))).toEqual([-32000, 'execution aborted (timeout)']);
  });
});

describe('the block plan of eth_simulateV1', () => {
  const base = { number: 10n, timestamp: 100n };
  const block = (edits: { readonly number?: bigint; readonly timestamp?: bigint }) => ({
    block: edits,
    accounts: [],
    calls: [],
  });
  const planned = (...edits: Parameters<typeof block>[0][]) => {
    const plan = planSimulation(base, edits.map(block));
    return plan.kind === 'planned'
      ? plan.blocks.map((one) => [one.block.number, one.block.timestamp])
      : [plan.reason, plan.message];
  };
  it('numbers blocks, sets their times 12 seconds apart, and fills gaps with empty blocks', () => {
    expect(planned({}, {})).toEqual([
      [11n, 112n],
      [12n, 124n],
    ]);
    expect(planned({ number: 13n, timestamp: 200n }, { timestamp: 201n })).toEqual([
      [11n, 112n],
      [12n, 124n],
      [13n, 200n],
      [14n, 201n],
    ]);
  });
  it('refuses numbers and times that do not rise, and blocks too far away', () => {
    expect(planned({ number: 10n })).toEqual(['block-number-order', 'block numbers must be in order: 10 <= 10']);
    expect(planned({ number: 13n }, { number: 12n })[0]).toBe('block-number-order');
    expect(planned({ timestamp: 100n })).toEqual([
      'block-timestamp-order',
      'block timestamps must be in order: 100 <= 100',
    ]);
    expect(planned({ number: 12n, timestamp: 112n })[0]).toBe('block-timestamp-order');
    expect(planned({ number: 266n })).toHaveLength(256);
    expect(planned({ number: 267n })[0]).toBe('client-limit');
  });
});
