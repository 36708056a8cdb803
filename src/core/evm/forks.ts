import type { EvmFork } from './transaction.js';

const FORKS: readonly EvmFork[] = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** Checks whether a fork has the rules that came with `first`. */
export function isSince(fork: EvmFork, first: EvmFork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(first);
}
