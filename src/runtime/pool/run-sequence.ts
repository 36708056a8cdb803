import type {
  CallSequenceResult,
  SequencedCall,
  SequencedCalls,
  SequenceStep,
} from '../../core/ethereum/call-sequence.js';
import type { WholeTraces } from './collect-traces.js';

/**
 * Drives a sequence of calls to its end; undefined when its traces and the outputs of its calls, as hex, are longer
 * than `sink` takes. Stopped when `isLate` is true between two steps, and then the result is not sent.
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
    // a return runs the `finally` blocks of the generator
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
