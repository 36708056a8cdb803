import type {
  CallSequenceResult,
  SequencedCall,
  SequencedCalls,
  SequenceStep,
} from '../../core/ethereum/call-sequence.js';
import type { WholeTraces } from './collect-traces.js';

/**
 * Runs a sequence of calls to its end; undefined when its traces and outputs (as hex) exceed the limit of `sink`. Stops
 * when `isLate` is true between two steps; the result is then not sent.
 */
export function runSequence(
  running: Generator<SequenceStep, SequencedCalls>,
  sink: WholeTraces,
  isLate: () => boolean,
): CallSequenceResult | undefined {
  let step = running.next();
  while (step.done !== true) {
    const { value } = step;
    if (value.kind === 'trace') sink.give({ kind: 'end', trace: value.trace });
    else sink.count(shownBytes(value.call));
    // `return` runs the generator's `finally` blocks.
    step = sink.isEnded || isLate() ? running.return({ kind: 'timeout' }) : running.next();
  }
  const { value: made } = step;
  const { value: traces } = sink;
  if (traces === undefined) return undefined;
  return made.kind === 'done' ? { ...made, traces } : made;
}

function shownBytes({ outcome }: SequencedCall): number {
  return outcome.kind === 'halt' ? outcome.message.length : 2 * outcome.output.length;
}
