import type { EvmFork } from './engine.js';

const FORKS: readonly EvmFork[] = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** Whether the rules that came with `first` hold in a fork. */
export function isSince(fork: EvmFork, first: EvmFork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(first);
}
