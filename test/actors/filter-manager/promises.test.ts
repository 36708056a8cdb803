import { describe, it } from 'vitest';
import { checkPromises } from '../../../src/testing/index.js';
import { propertyRuns } from '../../support/property-runs.js';
import { filterTarget } from './target.js';

/** Limits of the property's run: only the test's timeout bounds its time. */
const SEARCH = { runs: propertyRuns(200), timeLimitMs: 2 ** 31 - 1 };

describe('promises of polling filters', () => {
  it('hold over polls, restarts, kills, failed reads and passing time', async () => {
    await checkPromises(filterTarget({}), SEARCH);
  });
  it('hold when every answer is split into small parts and the ring of admissions is short', async () => {
    const limits = { filterPollBlocks: 2, filterPollLogBlocks: 2, filterPollPending: 2, recentAdmissions: 3 };
    await checkPromises(filterTarget(limits), SEARCH);
  });
});
