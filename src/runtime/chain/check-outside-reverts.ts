import { FIRST_KEY } from '../../core/multistore/check-values.js';
import type { Executor } from '../executor/executor.js';
import type { Ledger } from './ledger.js';

/**
 * Wraps `Executor.check` so that differences during a revert are not reported: its batch changes the rows before the
 * trees follow. The next comparison starts at the same key.
 */
export function checkOutsideReverts(
  executor: Pick<Executor, 'check'>,
  ledger: { readonly isReverting: boolean; readonly state: Pick<Ledger['state'], 'height'> },
): Pick<Executor, 'check'> {
  return {
    async check(height, from, count) {
      const checked = await executor.check(height, from, count);
      if (checked?.kind === 'sound') return checked;
      // No block is executed before this answer, so a lower head means a revert.
      const hasMoved = ledger.isReverting || ledger.state.height < height;
      return hasMoved ? { kind: 'sound', next: from ?? FIRST_KEY } : checked;
    },
  };
}
