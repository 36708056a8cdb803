/** erc7562Tracer and keccak256PreimageTracer give the traces that go-ethereum recorded (`erc7562.json`). */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SENDER, address, fromHex, toHex, tx, word, world } from './support.js';

interface Recorded {
  readonly name: string;
  /** By address. The transaction calls 0xa1 from `SENDER` with one byte. */
  readonly codes: Readonly<Record<string, string>>;
  readonly gas: string;
  readonly tracer: string;
  readonly config: object;
  readonly trace: unknown;
}

const RECORDED = new URL('erc7562.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { readonly cases: readonly Recorded[] };
const CALLED = address(0xa1);

function traceOf({ codes, gas }: Pick<Recorded, 'codes' | 'gas'>, tracer: string, tracerConfig: object): unknown {
  const at = world({ block: { baseFee: 0n } });
  at.state.fund(SENDER, 0xffffffffffffn, 1n);
  for (const [where, code] of Object.entries(codes))
    at.state.putCode(fromHex(where), code, 100n).putSlot(fromHex(where), word(1), word(7));
  const call = tx({ to: CALLED, data: Uint8Array.of(1), gasLimit: BigInt(gas), nonce: 1n, maxFeePerGas: 0n });
  const trace = at.engine.trace(at.state, call, { fees: 'none' }, [], JSON.stringify({ tracer, tracerConfig }));
  return trace.ok ? JSON.parse(trace.json) : trace.message;
}

describe('the trace of go-ethereum is reproduced for', () => {
  test.each(cases)('$name', (recorded) => {
    const { tracer, config, trace } = recorded;
    expect(traceOf(recorded, tracer, config)).toEqual(trace);
    expect(
      traceOf(recorded, 'muxTracer', { [tracer]: config, muxTracer: { [tracer]: config, noopTracer: null } }),
    ).toEqual({ [tracer]: trace, muxTracer: { [tracer]: trace, noopTracer: {} } });
  });
});

test('erc7562Tracer refuses an invalid configuration and names the field', () => {
  const refused = (config: object): unknown => traceOf({ codes: {}, gas: '0x5300' }, 'erc7562Tracer', config);
  expect(refused({ ignoredOpcodes: [1] })).toBe('invalid ignoredOpcodes: not a hexadecimal number');
  expect(refused({ ignoredOpcodes: '0x1' })).toBe('invalid ignoredOpcodes: not a list');
});

test('erc7562Tracer writes frames of the maximum depth, and refuses a trace that is too large', () => {
  const deep = `5f5f5f5f5f73${toHex(CALLED)}5af100`;
  const inputs = { codes: { [toHex(CALLED)]: deep }, gas: '0x38d7ea4c68000' };
  let depth = 0;
  for (let frame = traceOf(inputs, 'erc7562Tracer', {}); frame !== undefined; depth += 1)
    frame = (frame as { readonly calls?: readonly unknown[] }).calls?.[0];
  expect(depth).toBe(1026);
  // Hashes 250,000 bytes in a loop, with another first word each time.
  const hashes = { codes: { [toHex(CALLED)]: '5b6001600151016001526203d0905f20505f56' }, gas: '0x2faf080' };
  expect(traceOf(hashes, 'erc7562Tracer', {})).toBe('trace too large');
  expect(traceOf(hashes, 'keccak256PreimageTracer', {})).toBe('trace too large');
});
