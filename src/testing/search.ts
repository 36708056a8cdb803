/** Searches for a list of commands after which a target breaks a promise. */
import { asyncProperty, check } from 'fast-check';
import { commandLists, type Command, type Action } from './commands.js';
import { play } from './play.js';
import { scriptOf, type Counterexample } from './script.js';
import type { Target } from './target.js';

export interface SearchOptions {
  /** Number of command lists to play; by default 100. */
  readonly runs?: number;
  /** Largest number of commands in a list; by default 40. */
  readonly commands?: number;
  /** Seed and path that a failure printed: the search begins at that counterexample. */
  readonly seed?: number;
  readonly path?: string;
  /** Milliseconds for the whole search, including shrinking; by default 60,000. */
  readonly timeLimitMs?: number;
  /** False reports the first counterexample without shrinking; by default true. */
  readonly shrink?: boolean;
}

/** A search that found a counterexample. `message` has the broken promise and the script. */
export class PromisesBroken<Own extends Action> extends Error {
  override readonly name = 'PromisesBroken';

  constructor(
    readonly counterexample: Counterexample<Own>,
    readonly script: string,
  ) {
    super(`${counterexample.error.message}\n\n${script}`, { cause: counterexample.error });
  }
}

/**
 * Plays lists of commands against the target; throws PromisesBroken with the smallest counterexample that was found
 * within the time limit. The target is not stopped.
 * @returns how many lists were played, and the seed
 */
export async function checkPromises<Fact, Own extends Action>(
  target: Target<Fact, Own>,
  options: SearchOptions = {},
): Promise<{ readonly runs: number; readonly seed: number }> {
  const { runs = 100, commands = 40, seed, path, timeLimitMs = 60_000, shrink = true } = options;
  const names = target.interests.map(({ name }) => name);
  const details = await check(
    asyncProperty(commandLists(names, target.actions, target.abilities, commands), async (list) => play(target, list)),
    {
      numRuns: runs,
      interruptAfterTimeLimit: timeLimitMs,
      endOnFailure: !shrink,
      ...(seed !== undefined && { seed }),
      ...(path !== undefined && { path }),
    },
  );
  const [list] = details.counterexample ?? [];
  if (list !== undefined) {
    const { errorInstance } = details;
    const found: Counterexample<Own> = {
      commands: list satisfies readonly Command<Own>[],
      error: errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance)),
      seed: details.seed,
      path: details.counterexamplePath ?? '',
      runs: details.numRuns,
      shrinks: details.numShrinks,
    };
    throw new PromisesBroken(found, scriptOf(target.source, found));
  }
  if (details.numRuns === 0) throw new Error(`no list was played within ${timeLimitMs} ms`);
  return { runs: details.numRuns, seed: details.seed };
}
