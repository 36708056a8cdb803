/** The thread of a mutant: runs the model against the engine in this bundle. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Limits } from '../../src/core/limits/limits.js';
import { BrokenPromise, checkPromises, PromisesBroken, type Action, type Target } from '../../src/testing/index.js';
import { filterTarget } from '../actors/filter-manager/target.js';
import { consensusTarget } from '../adapters/comet-rpc/subscriptions/target.js';
import { deliveryTarget } from '../adapters/eth-rpc/subscriptions/target.js';

export type EngineTarget = 'consensus' | 'ethereum' | 'filters';

export interface Search {
  readonly target: EngineTarget;
  readonly limits: Partial<Limits>;
  readonly runs: number;
  readonly commands: number;
  readonly shrink: boolean;
  readonly seed: number;
}

/** Result of a search. `promise` is the broken one; undefined when the engine kept all promises. */
export interface Verdict {
  readonly promise: string | undefined;
  readonly runs: number;
  readonly commands: number;
}

async function verdict<Fact, Own extends Action>(target: Target<Fact, Own>, search: Search): Promise<Verdict> {
  const { runs, commands, shrink, seed } = search;
  try {
    await checkPromises(target, { runs, commands, shrink, seed, timeLimitMs: 2 ** 31 - 1 });
    return { promise: undefined, runs, commands };
  } catch (error) {
    if (!(error instanceof PromisesBroken)) throw error;
    const { error: cause, runs: played, commands: list } = error.counterexample;
    if (!(cause instanceof BrokenPromise)) throw cause;
    return { promise: cause.promise, runs: played, commands: list.length };
  }
}

function searched(search: Search): Promise<Verdict> {
  switch (search.target) {
    case 'consensus':
      return verdict(consensusTarget(search.limits), search);
    case 'ethereum':
      return verdict(deliveryTarget(search.limits), search);
    case 'filters':
      return verdict(filterTarget(search.limits), search);
  }
}

// `Search` is what `mutant.ts` hands over.
const search: Search = workerData;
parentPort?.postMessage(await searched(search));
