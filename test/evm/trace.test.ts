import { describe, expect, test } from 'vitest';
import type { EvmTransaction } from '../../src/core/evm/engine.js';
import { SENDER, address, toHex, tx, word, world } from './support.js';

const OUTER = address(0xa1);
const INNER = address(0xb1);
const hex = (bytes: Uint8Array): string => `0x${toHex(bytes)}`;

function traced(options: object, transaction: EvmTransaction = tx({ to: OUTER, data: word(1) }), fees: 'engine' | 'none' = 'none'): unknown {
  const at = world();
  // Stores 1 in slot 0, calls the inner contract with selector 0xa9059cbb and one word; the inner one stores and reverts.
  at.state.putCode(OUTER, `60015f5563a9059cbb60e01b5f525f5f60245f5f73${toHex(INNER)}5af15000`);
  at.state.putCode(INNER, '60025f555f5ffd').putSlot(INNER, word(0), word(9));
  const trace = at.engine.trace(at.state, transaction, { fees }, JSON.stringify(options));
  if (!trace.ok) throw new Error(trace.message);
  return JSON.parse(trace.json);
}

describe('traces in the JSON of geth', () => {
  test('struct logs name every step with gas, depth and stack', () => {
    const trace = traced({});
    expect(trace).toMatchObject({ failed: false, structLogs: expect.arrayContaining([expect.objectContaining({ op: 'SSTORE', depth: 1 }), expect.objectContaining({ op: 'REVERT', depth: 2 })]) });
    expect(trace).toMatchObject({ structLogs: [{ pc: 0, op: 'PUSH1', gas: expect.any(Number), gasCost: 3, depth: 1, stack: [] }, expect.anything(), ...Array.from({ length: (trace as { structLogs: unknown[] }).structLogs.length - 2 }, () => expect.anything())] });
  });

  test('callTracer nests the calls with their input and error', () => {
    expect(traced({ tracer: 'callTracer' })).toMatchObject({
      type: 'CALL',
      from: hex(SENDER),
      to: hex(OUTER),
      calls: [{ type: 'CALL', to: hex(INNER), input: expect.stringMatching(/^0xa9059cbb/), error: 'execution reverted' }],
    });
  });

  test('prestateTracer names what was read; in diff mode what was before and after', () => {
    expect(traced({ tracer: 'prestateTracer' })).toMatchObject({ [hex(INNER)]: { storage: { [hex(word(0))]: hex(word(9)) } } });
    const diff = traced({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, tx({ to: OUTER, data: word(1) }), 'engine');
    expect(diff).toMatchObject({ post: { [hex(OUTER)]: { storage: { [hex(word(0))]: hex(word(1)) } }, [hex(SENDER)]: { nonce: 1 } } });
    expect((diff as { post: object }).post).not.toHaveProperty(hex(INNER));
  });

  test('4byteTracer counts selectors with the size of their arguments', () => {
    expect(traced({ tracer: '4byteTracer' })).toMatchObject({ '0xa9059cbb-32': 1 });
  });

  test('flatCallTracer, muxTracer and noopTracer', () => {
    expect(traced({ tracer: 'flatCallTracer' })).toMatchObject([{ traceAddress: [], subtraces: 1 }, { traceAddress: [0], error: expect.any(String) }]);
    expect(traced({ tracer: 'muxTracer', tracerConfig: { callTracer: {}, '4byteTracer': null } })).toMatchObject({ callTracer: { type: 'CALL' }, '4byteTracer': { '0xa9059cbb-32': 1 } });
    expect(traced({ tracer: 'noopTracer' })).toEqual({});
  });

  test('keep nothing, and answer unknown tracers, bad options and refused transactions with words', () => {
    const at = world();
    at.state.putCode(OUTER, '5f54600101805f555f5260205ff3');
    const trace = (options: string, transaction = tx({ to: OUTER })) => at.engine.trace(at.state, transaction, { fees: 'engine' }, options);
    expect([trace('{}'), trace('{}')].map((one) => one.ok && JSON.parse(one.json).returnValue)).toEqual([hex(word(1)), hex(word(1))]);
    expect(trace('{"tracer":"{step:function(){}}"}')).toMatchObject({ ok: false });
    expect(trace('{')).toMatchObject({ ok: false });
    expect(trace('{}', tx({ to: OUTER, nonce: 5n }))).toMatchObject({ ok: false, message: expect.stringContaining('nonce') });
  });
});
