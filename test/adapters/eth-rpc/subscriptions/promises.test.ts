import { describe, it } from 'vitest';
import { checkPromises } from '../../../../src/testing/index.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { deliveryTarget } from './target.js';

/** Only the test's timeout bounds the time. */
const timeLimitMs = 2 ** 31 - 1;

describe('promises to subscribers of the Ethereum websocket', () => {
  it('hold for clients that read, disconnect, reconnect and resume', async () => {
    await checkPromises(deliveryTarget({}), { runs: propertyRuns(120), commands: 60, timeLimitMs });
  });
  it('hold when commits are collected in the ring before they are written', async () => {
    await checkPromises(deliveryTarget({ pumpAtOnce: 0 }), { runs: propertyRuns(120), commands: 60, timeLimitMs });
  });
  it.each([0, 64])('hold when sockets stall and small limits cut slow clients off (%i at once)', async (pumpAtOnce) => {
    const limits = { socketPauseBytes: 2_000, socketCutoffBytes: 4_000, ringCommits: 6, pumpAtOnce };
    await checkPromises(deliveryTarget(limits), { runs: propertyRuns(75), commands: 80, timeLimitMs });
  });
});
