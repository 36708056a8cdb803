/** A node that records which runs and single blocks its executor makes. */
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { Height } from '../../../src/core/primitives.js';
import type { Executor } from '../../../src/runtime/executor/executor.js';
import type { MadeBlock } from '../../../src/runtime/executor/protocol.js';
import { simulate, type SimulatedNode } from '../simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

export const RUN = FIXED_LIMITS.blocksOfRun;
/** A first and a last block, two whole runs and a part of one. */
export const BLOCKS = 2 + 2 * RUN + 3;

interface Watched {
  /** Blocks of each run that the executor was asked for. */
  readonly asked: number[];
  /** Its answers, in order. */
  readonly made: (readonly MadeBlock[])[];
  /** Heights that were executed as single blocks. */
  readonly single: Height[];
}

/** A node whose executor is recorded; `during` is called before each run with its number, and may reject. */
export async function watched(during: (run: number, node: SimulatedNode) => Promise<void> | undefined) {
  const seen: Watched = { asked: [], made: [], single: [] };
  const store = reopenable();
  let simulated: SimulatedNode | undefined;
  const wrap = (executor: Executor): Executor => ({
    ...executor,
    execute(request) {
      seen.single.push(request.height);
      return executor.execute(request);
    },
    async run(request) {
      seen.asked.push(request.blocks);
      if (simulated !== undefined) await during(seen.asked.length, simulated);
      const made = await executor.run(request);
      seen.made.push(made);
      return made;
    },
  });
  simulated = await simulate({ store, wrap });
  return { simulated, seen, store };
}
