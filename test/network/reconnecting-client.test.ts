/**
 * Clients of a node behind CometBFT whose processes are killed; the model of subscriptions judges the notifications.
 */
import { describe, expect, test } from 'vitest';
import { checkPromises, nodeTarget, type NodeUnderTest, play } from '../../src/testing/index.js';
import { chainActions } from '../../src/testing/live/chain.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { latestHeight } from '../e2e/comet-client.js';
import { propertyRuns } from '../support/property-runs.js';
import { afterwards } from '../support/temporary.js';
import { hasCometbft } from './comet-process.js';
import { type Machine, makeNetwork, startApplication, startComet, until } from './cometbft.js';
import { filters, subscribers } from './reconnecting.js';
import { signingProxy } from './signing-proxy.js';

const PATIENCE_MS = 20_000;
const SEARCH = { runs: propertyRuns(2), commands: 25, timeLimitMs: 60_000 };
const MS_MAX = 180_000;

/** Starts both processes of a machine; `stop` kills them. */
async function start(machine: Machine): Promise<NodeUnderTest> {
  const app = await startApplication(machine);
  const comet = startComet(machine);
  const { eth_http: ethHttp = '' } = app.endpoints;
  const before = Number(app.ready.height);
  await until(async () => Number(await callEthereum<string>(ethHttp, 'eth_blockNumber')) > before + 1);
  await until(() => latestHeight(machine.rpc));
  const proxy = await signingProxy(app.endpoints);
  const cometWs = `${machine.rpc.replace('http', 'ws')}/websocket`;
  return {
    endpoints: { ethWs: proxy.url, ethHttp, cometWs, comet: machine.rpc },
    async stop() {
      await app.kill('SIGKILL');
      await comet.exited;
      proxy.close();
    },
  };
}

describe.skipIf(!hasCometbft())('a client that reconnects to a node behind CometBFT', () => {
  test.each([
    { face: 'ethereum', what: 'subscriptions', kills: subscribers('newPendingTransactions') },
    { face: 'filters', what: 'filters', kills: filters('newPendingTransactions') },
  ] as const)(
    'gets events by $what without gap or duplicate over kills',
    { timeout: MS_MAX },
    async ({ face, kills }) => {
      const [machine] = await makeNetwork(1);
      if (machine === undefined) throw new Error('no machine');
      const node = await nodeTarget(() => start(machine), { face, restarts: true, patienceMs: PATIENCE_MS });
      afterwards(async () => node.stop?.());
      // Blocks of an engine are never reverted.
      const actions = chainActions({ canSend: true, canRevert: false, canRestart: true });
      const target = { ...node, actions };
      await play(target, kills);
      expect((await checkPromises(target, SEARCH)).runs).toBeGreaterThan(0);
    },
  );
});
