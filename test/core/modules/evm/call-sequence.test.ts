/** Sequences of calls over a dev chain: their state, blocks, checks and traces. */
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  CallSequence,
  SequencedCall,
  SequencedCalls,
  TracedCall,
} from '../../../../src/core/ethereum/call-sequence.js';
import type { EvmTrace } from '../../../../src/core/evm/outcome.js';
import { addressOf, bytesOf, ethereumChain, GWEI, tx } from '../../app/ethereum-chain.js';
import type { DevChain } from '../../app/dev-chain.js';
import { toHex } from '../../app/support.js';

let dev: DevChain;
beforeAll(async () => {
  dev = ethereumChain();
  dev.block(await tx(0, { nonce: 0, to: `0x${'77'.repeat(20)}`, value: 5n }));
});

const RICH = addressOf(1);
const POOR = new Uint8Array(20).fill(0xc0);
const NEXT = new Uint8Array(20).fill(0xc1);
const CODE = new Uint8Array(20).fill(0xc2);
/** Code that returns the word that `code` leaves on the stack. */
const returning = (code: string): Uint8Array => bytesOf(`${code}5f5260205ff3`);
/** Counts its calls in slot 0 and returns the number. */
const COUNTER = bytesOf('5f546001018060005560005260205ff3');

type Asked = Partial<Omit<CallSequence, 'blocks'>> & {
  readonly blocks: readonly { readonly block?: object; readonly calls: readonly Partial<TracedCall>[] }[];
};

interface Ran {
  readonly result: SequencedCalls;
  readonly traces: readonly EvmTrace[];
  /** Each call as it was reported when it ended. */
  readonly calls: readonly SequencedCall[];
}

function run({ blocks, ...rest }: Asked): Ran {
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const at = { ...dev.at(), hash: new Uint8Array(32).fill(9), proposer: new Uint8Array(20) };
  const running = ethereum.sequenceCalls(dev.state, at, {
    accounts: [],
    validation: false,
    ...rest,
    blocks: blocks.map(({ block = {}, calls }) => ({ block, calls: calls.map((call) => ({ tracers: [], ...call })) })),
  });
  const traces: EvmTrace[] = [];
  const calls: SequencedCall[] = [];
  for (let step = running.next(); ; step = running.next()) {
    if (step.done === true) return { result: step.value, traces, calls };
    if (step.value.kind === 'trace') traces.push(step.value.trace);
    else calls.push(step.value.call);
  }
}

/** Output in hex, or the failure, of each call of each block. */
function outcomes(asked: Asked): readonly (readonly string[])[] {
  const { result, calls: told } = run(asked);
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  expect(told).toEqual(result.blocks.flat());
  return result.blocks.map((calls) =>
    calls.map(({ outcome }) =>
      outcome.kind === 'halt' ? outcome.message : `${outcome.kind} ${toHex(outcome.output)}`,
    ),
  );
}
const word = (value: bigint): string => `success ${value.toString(16).padStart(64, '0')}`;

describe('a sequence of calls', () => {
  it('keeps the writes of each call for later calls and blocks, and does not change the chain', () => {
    const accounts = [
      { address: CODE, code: COUNTER },
      { address: POOR, balance: 1_000n },
    ];
    const counts = { from: RICH, to: CODE };
    const pays = { from: POOR, to: NEXT, value: 600n };
    expect(outcomes({ accounts, blocks: [{ calls: [counts, counts, pays] }, { calls: [counts] }] })).toEqual([
      [word(1n), word(2n), 'success '],
      [word(3n)],
    ]);
    expect(run({ accounts, blocks: [{ calls: [pays, pays] }] }).result).toMatchObject({
      kind: 'refused',
      reason: 'insufficient-funds',
    });
    expect(dev.app.ethereum?.account(dev.state, dev.at(), NEXT).balance).toBe(0n);
    expect(outcomes({ accounts, blocks: [{ calls: [counts] }] })).toEqual([[word(1n)]]);
  });

  it('runs in the block, then in blocks of the next number and second each; overrides stay', () => {
    const numbers = { from: RICH, to: CODE };
    const accounts = [{ address: CODE, code: returning('43') }];
    const { height, time } = dev.at();
    expect(outcomes({ accounts, blocks: [{ calls: [numbers] }, { calls: [numbers] }] })).toEqual([
      [word(height)],
      [word(height + 1n)],
    ]);
    const seconds = [{ address: CODE, code: returning('42') }];
    expect(outcomes({ accounts: seconds, blocks: [{ calls: [numbers] }, { calls: [numbers] }] })).toEqual([
      [word(time / 1_000_000_000n)],
      [word(time / 1_000_000_000n + 1n)],
    ]);
    expect(
      outcomes({ accounts, blocks: [{ block: { number: 90n }, calls: [numbers] }, { calls: [numbers] }] }),
    ).toEqual([[word(90n)], [word(91n)]]);
    const coinbase = [{ address: CODE, code: returning('41') }];
    expect(
      outcomes({ accounts: coinbase, blocks: [{ block: { coinbase: NEXT }, calls: [] }, { calls: [numbers] }] }),
    ).toEqual([[], [word(BigInt(`0x${toHex(NEXT)}`))]]);
  });

  it('refuses a block after one with the highest possible time', () => {
    const timestamp = 2n ** 64n - 1n;
    const calls = [{ from: RICH, to: POOR }];
    expect(outcomes({ accounts: [], blocks: [{ block: { timestamp }, calls }] })).toEqual([['success ']]);
    expect(run({ accounts: [], blocks: [{ block: { timestamp }, calls }, { calls }] }).result).toEqual({
      kind: 'refused',
      reason: 'invalid-params',
      message: 'block time 18446744073709551616 does not fit',
    });
  });

  it('reports reverts and halts, and continues', () => {
    const accounts = [
      { address: CODE, code: bytesOf('5f5ffd') },
      { address: NEXT, code: bytesOf('fe') },
    ];
    const [calls] = outcomes({
      accounts,
      blocks: [
        {
          calls: [
            { from: RICH, to: CODE },
            { from: RICH, to: NEXT, gas: 30_000n },
            { from: RICH, to: POOR },
          ],
        },
      ],
    });
    expect(calls).toEqual(['revert ', 'invalid opcode: INVALID', 'success ']);
  });

  it('checks and charges calls with validation, and reports the tips of the coinbase', () => {
    const { ethereum } = dev.app;
    const nonce = ethereum?.account(dev.state, dev.at(), RICH).nonce ?? 0n;
    const baseFee = ethereum?.admissionBaseFee(dev.state, dev.at()) ?? 0n;
    const pays = (by: Partial<TracedCall>) => ({
      from: RICH,
      to: NEXT,
      value: 1n,
      gas: 21_000n,
      nonce,
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: 3n,
      ...by,
    });
    const block = { coinbase: POOR };
    const { result } = run({ validation: true, blocks: [{ block, calls: [pays({}), pays({ nonce: nonce + 1n })] }] });
    if (result.kind !== 'done') throw new Error(JSON.stringify(result));
    expect(result.coinbaseBefore).toBe(0n);
    expect(result.blocks[0]?.map(({ gasUsed, tip, coinbaseBalance }) => [gasUsed, tip, coinbaseBalance])).toEqual([
      [21_000n, 3n, 63_000n],
      [21_000n, 3n, 126_000n],
    ]);
    for (const [by, reason] of [
      [{ nonce: nonce + 1n }, 'nonce-too-high'],
      [{ maxFeePerGas: baseFee - 1n, maxPriorityFeePerGas: 0n }, 'base-fee-too-low'],
      [{ value: 10n ** 60n }, 'insufficient-funds'],
    ] as const)
      expect(run({ validation: true, blocks: [{ block, calls: [pays(by)] }] }).result).toMatchObject({ reason });
  });

  it('traces each call over the state that it runs on, in the order of calls and tracers', () => {
    const prestate = JSON.stringify({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
    const frames = JSON.stringify({ tracer: 'callTracer' });
    const counts = { from: RICH, to: CODE };
    const { traces } = run({
      accounts: [{ address: CODE, code: COUNTER }],
      blocks: [{ calls: [{ ...counts, tracers: [frames, prestate] }, counts, { ...counts, tracers: [prestate] }] }],
    });
    const parsed = traces.map((trace) => (trace.ok ? JSON.parse(trace.json) : trace.message));
    expect(parsed).toHaveLength(3);
    expect(parsed[0]).toMatchObject({ type: 'CALL', output: `0x${'1'.padStart(64, '0')}` });
    const slot = `0x${'0'.repeat(64)}`;
    const name = `0x${toHex(CODE)}`;
    expect(parsed[1].post[name].storage).toEqual({ [slot]: `0x${'1'.padStart(64, '0')}` });
    expect(parsed[2].pre[name].storage).toEqual({ [slot]: `0x${'2'.padStart(64, '0')}` });
    expect(parsed[2].post[name].storage).toEqual({ [slot]: `0x${'3'.padStart(64, '0')}` });
  });

  it('shows blob hashes to a call and in its trace, whether the blobs are free or paid', () => {
    const hash = bytesOf(`01${'ab'.repeat(31)}`);
    const blobs = { from: RICH, to: CODE, blobHashes: [hash], tracers: ['{"tracer":"callTracer"}'] };
    const asked: Asked = {
      accounts: [{ address: CODE, code: returning('5f49') }],
      blocks: [{ calls: [blobs, { ...blobs, maxFeePerBlobGas: 1n }] }],
    };
    expect(outcomes(asked)).toEqual([[`success ${toHex(hash)}`, `success ${toHex(hash)}`]]);
    for (const trace of run(asked).traces)
      expect(trace.ok && JSON.parse(trace.json)).toMatchObject({ output: `0x${toHex(hash)}` });
  });

  it('shows in the trace of a transaction what its sender pays', () => {
    const { ethereum } = dev.app;
    const { nonce = 0n, balance = 0n } = ethereum?.account(dev.state, dev.at(), RICH) ?? {};
    const call = {
      ...{ from: RICH, to: NEXT, gas: 21_000n, nonce, maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 3n },
      tracers: [JSON.stringify({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } })],
    };
    const { traces } = run({ validation: true, blocks: [{ calls: [call] }] });
    const { pre, post } = traces[0]?.ok === true ? JSON.parse(traces[0].json) : { pre: {}, post: {} };
    const name = `0x${toHex(RICH)}`;
    expect([BigInt(pre[name].balance), post[name].nonce]).toEqual([balance, Number(nonce) + 1]);
    expect(BigInt(post[name].balance)).toBe(
      balance - 21_000n * ((ethereum?.admissionBaseFee(dev.state, dev.at()) ?? 0n) + 3n),
    );
  });
});
