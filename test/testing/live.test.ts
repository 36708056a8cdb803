/** The model run against real nodes: through sockets, with restarts and reverts. */
import { describe, expect, test } from 'vitest';
import { startNode } from '../../src/index.js';
import { checkPromises, nodeTarget, type LiveTarget } from '../../src/testing/index.js';
import { propertyRuns } from '../support/property-runs.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';

const SEARCH = { runs: propertyRuns(12), commands: 30, timeLimitMs: 40_000 };

async function checked(making: Promise<LiveTarget>, options = SEARCH): Promise<number> {
  const target = await making;
  afterwards(async () => target.stop?.());
  return (await checkPromises(target, options)).runs;
}

describe.each(['ethereum', 'consensus', 'filters'] as const)('the %s face of a node', (face) => {
  test('passes the model', async () => {
    expect(await checked(nodeTarget(() => startNode(), { face }))).toBe(SEARCH.runs);
  });
  test('passes the model with restarts', async () => {
    const home = temporaryFolder();
    const restarting = nodeTarget(() => startNode({ home }), { face, restarts: true });
    expect(await checked(restarting, { ...SEARCH, runs: propertyRuns(3) })).toBe(propertyRuns(3));
  });
});
