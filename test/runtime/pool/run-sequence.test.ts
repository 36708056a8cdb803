/** A sequence of calls in the pool: which bytes it counts, and where it ends. */
import { describe, expect, test } from 'vitest';
import type { SequencedCall, SequencedCalls, SequenceStep } from '../../../src/core/ethereum/call-sequence.js';
import { WholeTraces } from '../../../src/runtime/pool/collect-traces.js';
import { runSequence } from '../../../src/runtime/pool/run-sequence.js';

const call = (outcome: SequencedCall['outcome']): SequenceStep => ({
  kind: 'call',
  call: { from: new Uint8Array(20), gasUsed: 1n, tip: 0n, coinbaseBalance: 0n, outcome },
});
const success = call({ kind: 'success', output: new Uint8Array(8) });
const revert = call({ kind: 'revert', output: new Uint8Array(8) });
const halt = call({ kind: 'halt', message: 'sixteen letters.' });
const trace: SequenceStep = { kind: 'trace', trace: { ok: true, json: '{"a":"sixteen."}' } };
const done: SequencedCalls = { kind: 'done', blocks: [], coinbaseBefore: 0n };

/** A sequence that records how many of its steps were made, and whether it released its resources. */
function sequence(...steps: readonly SequenceStep[]) {
  const seen = { made: 0, isReleased: false };
  function* run(): Generator<SequenceStep, SequencedCalls> {
    try {
      for (const step of steps) {
        seen.made += 1;
        yield step;
      }
      return done;
    } finally {
      seen.isReleased = true;
    }
  }
  return { seen, running: run() };
}

describe('a sequence of calls in the pool', () => {
  test('returns its traces and calls while they fit into the limit', () => {
    const { running } = sequence(trace, success, success);
    expect(runSequence(running, new WholeTraces(48), () => false)).toEqual({
      ...done,
      traces: [{ ok: true, json: '{"a":"sixteen."}' }],
    });
  });

  test.each([success, revert, halt, trace])('executes nothing after the step that exceeds the limit: %#', (step) => {
    const { seen, running } = sequence(step, step, step, step);
    expect(runSequence(running, new WholeTraces(47), () => false)).toBeUndefined();
    expect(seen).toEqual({ made: 3, isReleased: true });
  });

  test('stops at a timeout', () => {
    const { seen, running } = sequence(success, success, success);
    expect(runSequence(running, new WholeTraces(48), () => seen.made === 2)).toEqual({ kind: 'timeout' });
    expect(seen).toEqual({ made: 2, isReleased: true });
  });

  test('returns a refusal', () => {
    const refused = { kind: 'refused', reason: 'plain', message: 'no' } as const;
    // oxlint-disable-next-line require-yield
    function* run(): Generator<SequenceStep, SequencedCalls> {
      return refused;
    }
    expect(runSequence(run(), new WholeTraces(1), () => false)).toEqual(refused);
  });
});
