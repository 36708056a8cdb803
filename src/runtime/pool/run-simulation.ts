import { simulatedBlockJson } from '../../core/ethereum/json/simulation-json.js';
import {
  refusedSimulation,
  type SimulatedBlocks,
  type Simulation,
  type SimulationResult,
} from '../../core/ethereum/simulation.js';

/**
 * Runs a simulation to its end and encodes its blocks as JSON; refused when that exceeds `maxBytes`. Stops when
 * `isLate` is true between two calls; the result is then not sent.
 */
export function runSimulation(
  running: Generator<undefined, SimulatedBlocks>,
  { simulation, maxBytes }: { readonly simulation: Simulation; readonly maxBytes: number },
  isLate: () => boolean,
): SimulationResult {
  const made = runUnlessLate(running, isLate) ?? { kind: 'timeout' as const };
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
 * Runs a generator to its end and returns its result. When `isLate` becomes true between two steps, runs its `finally`
 * blocks and returns undefined.
 */
export function runUnlessLate<Result>(
  running: Generator<undefined, Result>,
  isLate: () => boolean,
): Result | undefined {
  for (let step = running.next(); ; step = running.next()) {
    if (step.done === true) return step.value;
    if (!isLate()) continue;
    // Leaving a loop early runs the generator's `finally` blocks.
    for (const _ of running) break;
    return undefined;
  }
}
