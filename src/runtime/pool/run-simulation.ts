import { simulatedBlockJson } from '../../core/ethereum/json/simulation-json.js';
import {
  refusedSimulation,
  type SimulatedBlocks,
  type Simulation,
  type SimulationResult,
} from '../../core/ethereum/simulation.js';

/**
 * Drives a simulation to its end and writes its blocks as JSON. Refused when they are longer than `maxBytes`; stopped
 * when `isLate` is true between two calls, and then the result is not sent.
 */
export function runSimulation(
  running: Generator<undefined, SimulatedBlocks>,
  { simulation, maxBytes }: { readonly simulation: Simulation; readonly maxBytes: number },
  isLate: () => boolean,
): SimulationResult {
  const made = lastOf(running, isLate) ?? { kind: 'timeout' as const };
  if (made.kind !== 'blocks') return made;
  const texts: string[] = [];
  let size = 2;
  for (const block of made.blocks) {
    const text = simulatedBlockJson(block, simulation);
    size += text.length + 1;
    if (size > maxBytes)
      return refusedSimulation('client-limit', `answer too large: limit ethSimulationBytes (${maxBytes}) exceeded`);
    texts.push(text);
  }
  return { kind: 'blocks', json: `[${texts.join(',')}]` };
}

/**
 * Runs a generator to its end and returns its result; undefined when `isLate` became true between two steps, and then
 * it has given back what it held.
 */
export function lastOf<Result>(running: Generator<undefined, Result>, isLate: () => boolean): Result | undefined {
  for (let step = running.next(); ; step = running.next()) {
    if (step.done === true) return step.value;
    if (!isLate()) continue;
    // leaving a loop early runs the `finally` blocks of the generator
    for (const _ of running) break;
    return undefined;
  }
}
