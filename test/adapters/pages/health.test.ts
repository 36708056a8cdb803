/** Text in the explorer's header for a node that makes no blocks. */
import { expect, it } from 'vitest';
import { standstillOf } from '../../../src/adapters/pages/browser/data/health.js';

it('a halted node and one without its engine show the reason, and other nodes show none', () => {
  const said = (status: string, isWell: boolean, reason?: string): string | undefined =>
    standstillOf({ status, height: '1', position: '2', isWell, ...(reason !== undefined && { reason }) });
  expect([
    said('halted', false, 'UPGRADE "v2" NEEDED at height: 5: '),
    said('waitingForEngine', false),
    said('running', true),
    said('reverting', true),
    said('verifying', false),
    standstillOf(null),
  ]).toEqual([
    'The chain is halted: UPGRADE "v2" NEEDED at height: 5.',
    'No block can come: CometBFT is not connected to the node.',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
