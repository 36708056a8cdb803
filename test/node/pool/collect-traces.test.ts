import { describe, expect, test } from 'vitest';
import type { EvmTrace } from '../../../src/core/evm/engine.js';
import { boundedTrace, collectTraces } from '../../../src/node/pool/collect-traces.js';

const three: EvmTrace = { ok: true, json: '{1}' };
const four: EvmTrace = { ok: false, message: 'four' };

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

describe('the traces of a block', () => {
  test('are those of the transactions that are traced, in order', () => {
    expect(collectTraces(block(undefined, three, undefined, four).run, 7, () => false)).toEqual([three, four]);
  });

  test('are none when they are longer than they may be, and nothing is executed after the one that was too much', () => {
    const { executed, run } = block(three, four, three);
    expect(collectTraces(run, 6, () => false)).toBeUndefined();
    expect(executed).toEqual([0, 1]);
  });

  test('end between two transactions when the time is over, traced or not', () => {
    const { executed, run } = block(undefined, undefined, three);
    expect(collectTraces(run, 100, () => executed.length === 2)).toEqual([]);
    expect(executed).toEqual([0, 1]);
  });
});

test('a single trace that is too long becomes a refusal that names the limit', () => {
  expect(boundedTrace(three, 3)).toBe(three);
  expect(boundedTrace(four, 1)).toBe(four);
  expect(boundedTrace(three, 2)).toEqual({ ok: false, message: 'trace too large: limit ethTraceBytes (2) exceeded' });
});
