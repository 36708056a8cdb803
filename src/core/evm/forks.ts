import type { EvmFork } from './transaction.js';

const FORKS: readonly EvmFork[] = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** True when `fork` is `first` or later. */
export function isSince(fork: EvmFork, first: EvmFork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(first);
}
