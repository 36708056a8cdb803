/** Calls with blob fields, by the rules of go-ethereum v1.17 (`core/state_transition.go`, `internal/ethapi/api.go`). */
import { describe, expect, it } from 'vitest';
import type { EthereumBlockOverrides, EthereumCall } from '../../../../src/core/ethereum/call.js';
import { hex } from '../../../../src/core/bytes/hex.js';
import { addressOf, bytesOf, ethereumChain } from '../../app/ethereum-chain.js';

const HASHES = ['01aa', '01bb'].map((start) => bytesOf(start.padEnd(64, '0')));
const NOBODY = bytesOf('77'.repeat(20));
const TO = addressOf(7);
/** Returns BLOBHASH of 0, 1 and 2, BLOBBASEFEE and GASPRICE. */
const SEES = bytesOf('0x5f495f52600149602052600249604052' + '4a606052' + '3a608052' + '60a05ff3');
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const GAS_PER_BLOB = 131_072n;

function chain() {
  const dev = ethereumChain();
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const edits = [{ address: TO, code: SEES }];
  return {
    call: (call: EthereumCall, block: EthereumBlockOverrides = {}) =>
      ethereum.call(dev.state, at, { to: TO, ...call }, edits, block),
    estimate: (call: EthereumCall, balance?: bigint) =>
      ethereum.estimateGas(dev.state, at, { to: TO, ...call }, [
        ...edits,
        ...(balance === undefined ? [] : [{ address: NOBODY, balance }]),
      ]),
    list: (call: EthereumCall) => ethereum.createAccessList(dev.state, at, { to: TO, ...call }, edits),
    trace: (call: EthereumCall) =>
      ethereum.traceCall(dev.state, at, { to: TO, ...call }, edits, {}, '{"tracer":"callTracer"}'),
  };
}

const output = (result: ReturnType<ReturnType<typeof chain>['call']>): unknown =>
  result.kind === 'success' ? hex(result.output) : result;
const seen = (hashes: readonly Uint8Array[], blobBaseFee: bigint, gasPrice = 0n): string =>
  [0, 1, 2].map((at) => hex(hashes[at] ?? new Uint8Array(32))).join('') + word(blobBaseFee) + word(gasPrice);

describe('a call with blobs', () => {
  it('sees their hashes, and a blob base fee of 0 when it names no fee for blobs', () => {
    const { call, estimate, list, trace } = chain();
    expect(output(call({ blobHashes: HASHES }))).toBe(seen(HASHES, 0n));
    expect(output(call({ blobHashes: HASHES, maxFeePerBlobGas: 0n }, { blobBaseFee: 9n }))).toBe(seen(HASHES, 0n));
    expect(output(call({ maxFeePerBlobGas: 0n }))).toBe(seen([], 0n));
    expect(output(call({}))).toBe(seen([], 1n));
    expect(estimate({ blobHashes: HASHES })).toMatchObject({ kind: 'gas' });
    expect(list({ blobHashes: HASHES })).toMatchObject({ kind: 'list', accessList: [] });
    const traced = trace({ blobHashes: HASHES });
    expect(traced.ok && JSON.parse(traced.json)).toMatchObject({ output: `0x${seen(HASHES, 0n)}` });
  });

  it('needs a blob fee cap of at least the blob base fee', () => {
    const { call } = chain();
    const from = addressOf(0);
    const paying = { from, blobHashes: HASHES, maxFeePerBlobGas: 5n };
    expect(output(call(paying))).toBe(seen(HASHES, 1n));
    expect(output(call(paying, { blobBaseFee: 5n }))).toBe(seen(HASHES, 5n));
    expect(call(paying, { blobBaseFee: 6n })).toEqual({
      kind: 'refused',
      message: expect.stringMatching(
        /^err: max fee per blob gas less than block blob gas fee: address 0x[0-9a-fA-F]{40} blobGasFeeCap: 5, blobBaseFee: 6 \(supplied gas 50000000\)$/,
      ),
    });
    // a blob fee without blobs is ignored
    expect(output(call({ maxFeePerBlobGas: 5n }, { blobBaseFee: 6n }))).toBe(seen([], 6n));
  });

  it('pays its gas by any kind of price', () => {
    const { call } = chain();
    const [from, gas, fee] = [addressOf(0), 100_000n, 10n ** 10n];
    const block = { baseFee: 10n ** 9n };
    for (const [prices, price] of [
      [{ gasPrice: fee }, fee],
      [{ maxFeePerGas: fee }, block.baseFee],
      [{ maxFeePerGas: fee, maxPriorityFeePerGas: 7n }, block.baseFee + 7n],
    ] as const)
      expect(output(call({ from, gas, blobHashes: HASHES, ...prices }, block))).toBe(seen(HASHES, 0n, price));
  });

  it.each([
    ['no recipient', { to: undefined, blobHashes: HASHES }, 'blob transaction of type create'],
    ['no hashes', { blobHashes: [] }, 'blob transaction missing blob hashes'],
    [
      'seven hashes',
      { blobHashes: Array.from({ length: 7 }, () => HASHES[0] ?? NOBODY) },
      'blob transaction has too many blobs',
    ],
    ['a hash of another version', { blobHashes: [...HASHES, new Uint8Array(32)] }, 'blob 2 has invalid hash version'],
  ])('is refused with %s', (_, fields, message) => {
    const { call, estimate, list, trace } = chain();
    expect(call(fields)).toEqual({ kind: 'refused', message: `err: ${message} (supplied gas 50000000)` });
    expect(estimate(fields)).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) });
    expect(list(fields)).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) });
    expect(trace(fields)).toEqual({ ok: false, message: `tracing failed: ${message}` });
  });

  it('may have six blobs', () => {
    const six = Array.from({ length: 6 }, () => HASHES[0] ?? NOBODY);
    expect(output(chain().call({ blobHashes: six }))).toBe(seen(six, 0n));
  });

  it('needs the coins for the blobs, the value and the gas', () => {
    const { call, estimate } = chain();
    const blobs = { from: NOBODY, blobHashes: HASHES, maxFeePerBlobGas: 3n };
    const cost = 2n * GAS_PER_BLOB * 3n;
    expect(call(blobs)).toEqual({
      kind: 'refused',
      message: expect.stringContaining(
        `insufficient funds for gas * price + value: address 0x7777777777777777777777777777777777777777 have 0 want ${cost}`,
      ),
    });
    // the gas is paid with what remains after the blobs and the value
    const priced = { ...blobs, maxFeePerGas: 10n ** 10n, value: 5n };
    const words = 'insufficient funds for gas * price + value';
    expect(estimate(priced, cost + 5n)).toEqual({ kind: 'refused', message: words });
    expect(estimate(priced, 5n)).toEqual({ kind: 'refused', message: 'insufficient funds for transfer' });
    expect(estimate(priced, cost + 5n + 22_000n * 10n ** 10n)).toMatchObject({ kind: 'gas' });
    expect(estimate(priced, cost + 5n + 20_000n * 10n ** 10n)).toEqual({
      kind: 'refused',
      message: 'gas required exceeds allowance (20000)',
    });
  });
});
