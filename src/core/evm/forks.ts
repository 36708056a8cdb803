import type { EvmFork } from './transaction.js';

const FORKS: readonly EvmFork[] = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** True when `fork` is `first` or later. */
export function isForkSince(fork: EvmFork, first: EvmFork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(first);
}
