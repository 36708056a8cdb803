import { describe, it } from 'vitest';
import { checkPromises } from '../../../../src/testing/index.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { deliveryTarget } from './target.js';

/** No bound on the time but that of the test. */
const timeLimitMs = 2 ** 31 - 1;

describe('promises to subscribers of the Ethereum websocket', () => {
  it('hold for clients that read, leave, return and resume', async () => {
    await checkPromises(deliveryTarget({}, 64), { runs: propertyRuns(120), commands: 60, timeLimitMs });
  });
  it('hold when commits gather in the ring before they are written', async () => {
    await checkPromises(deliveryTarget({}, 0), { runs: propertyRuns(120), commands: 60, timeLimitMs });
  });
  it.each([0, 64])('hold when sockets stall and small limits cut slow clients off (%i at once)', async (atOnce) => {
    // A pump that waits lets commits gather, however well its clients read.
    const limits = { socketPauseBytes: 2_000, socketCutoffBytes: 4_000, ...(atOnce > 0 && { ringCommits: 6 }) };
    await checkPromises(deliveryTarget(limits, atOnce), { runs: propertyRuns(75), commands: 80, timeLimitMs });
  });
});
