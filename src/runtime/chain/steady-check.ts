import { FIRST_KEY } from '../../core/multistore/check-values.js';
import type { Executor } from '../executor/executor.js';
import type { Ledger } from './ledger.js';

/**
 * Comparisons of the state with the trees that wait while the chain is reverted: that batch changes the rows before the
 * trees follow. What is found meanwhile is no damage; the next comparison begins at the same key.
 */
export function steadyCheck(
  executor: Pick<Executor, 'check'>,
  ledger: { readonly isReturning: boolean; readonly state: Pick<Ledger['state'], 'height'> },
): Pick<Executor, 'check'> {
  return {
    async check(height, from, count) {
      const checked = await executor.check(height, from, count);
      if (checked?.kind === 'sound') return checked;
      // No later block is executed before this answer: a lower head is that of a revert.
      const hasMoved = ledger.isReturning || ledger.state.height < height;
      return hasMoved ? { kind: 'sound', next: from ?? FIRST_KEY } : checked;
    },
  };
}
