import { describe, expect, test } from 'vitest';
import type { EvmTrace } from '../../../src/core/evm/outcome.js';
import { collectTraces, WholeTraces } from '../../../src/runtime/pool/collect-traces.js';

const three: EvmTrace = { ok: true, json: '{1}' };
const four: EvmTrace = { ok: false, message: 'four' };
const piece = { kind: 'piece', text: Buffer.from('{0,') } as const;

/** A block whose transactions record that they were executed. */
function block(...results: readonly (EvmTrace | undefined)[]) {
  const executed: number[] = [];
  function* run() {
    for (const [at, result] of results.entries()) {
      executed.push(at);
      yield result;
    }
  }
  return { executed, run: run() };
}

function collected(run: Iterable<EvmTrace | undefined>, maxBytes: number, isLate: () => boolean) {
  const sink = new WholeTraces(maxBytes);
  collectTraces(run, sink, isLate);
  return sink.value;
}

describe('collecting the traces of a block', () => {
  test('returns the traces of the requested transactions, in order', () => {
    expect(collected(block(undefined, three, undefined, four).run, 7, () => false)).toEqual([three, four]);
  });

  test('returns nothing when the traces are too long, and stops at the transaction that exceeds the limit', () => {
    const { executed, run } = block(three, four, three);
    expect(collected(run, 6, () => false)).toBeUndefined();
    expect(executed).toEqual([0, 1]);
  });

  test('returns nothing when a trace is too long for the engine', () => {
    expect(collected(block({ ok: false, message: 'trace too large' }).run, 100, () => false)).toBeUndefined();
  });

  test('stops between two transactions on timeout, whether they are traced or not', () => {
    const { executed, run } = block(undefined, undefined, three);
    expect(collected(run, 100, () => executed.length === 2)).toEqual([]);
    expect(executed).toEqual([0, 1]);
  });
});

describe('traces that come in pieces', () => {
  const sink = (maxBytes: number) => {
    const whole = new WholeTraces(maxBytes);
    for (const part of [piece, piece, { kind: 'end', trace: { ok: true, json: '1}' } } as const]) whole.give(part);
    return whole;
  };

  test('are joined, and the pieces of a failed trace are dropped', () => {
    const whole = sink(30);
    expect(whole.value).toEqual([{ ok: true, json: '{0,{0,1}' }]);
    whole.give(piece);
    whole.give({ kind: 'end', trace: four });
    whole.give({ kind: 'end', trace: three });
    expect(whole.value).toEqual([{ ok: true, json: '{0,{0,1}' }, four, three]);
  });

  test('end the execution when they are too long together, and begin again at a restart', () => {
    const whole = sink(7);
    expect([whole.isEnded, whole.value]).toEqual([true, undefined]);
    whole.restart();
    expect([whole.isEnded, whole.value]).toEqual([false, []]);
  });
});
