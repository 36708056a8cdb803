/** A node of a network as a target of the model of subscriptions. */
import { type FaceName, type LiveTarget, nodeTarget, type NodeUnderTest } from '../../src/testing/index.js';
import type { Kills } from './kills.js';
import { signingProxy } from './signing-proxy.js';
import type { Validator } from './validators.js';

/**
 * Engines that were killed more than once redial each other ever more rarely, and a busy machine adds to the delay.
 */
const PATIENCE_MS = 600_000;

/** The action `restart` kills this node and so disconnects its clients; `mine` kills other nodes. */
export async function watchedNode(node: Validator, kills: Kills, face: FaceName): Promise<LiveTarget> {
  let isOver = false;
  let goOn = (): Promise<void> => Promise.resolve();
  const start = async (): Promise<NodeUnderTest> => {
    await goOn();
    const { endpoints, machine } = node;
    const proxy = await signingProxy(endpoints);
    return {
      endpoints: {
        ethWs: proxy.url,
        ethHttp: endpoints.eth_http ?? '',
        cometWs: `${machine.rpc.replace('http', 'ws')}/websocket`,
        comet: machine.rpc,
      },
      async stop() {
        if (!isOver) goOn = await kills.around(node);
        proxy.close();
      },
    };
  };
  const target = await nodeTarget(start, { face, restarts: true, patienceMs: PATIENCE_MS });
  return {
    ...target,
    async begin() {
      const trial = await target.begin();
      return { ...trial, perform: (action) => (action.do === 'mine' ? kills.besides(node) : trial.perform(action)) };
    },
    async stop() {
      isOver = true;
      await target.stop?.();
    },
  };
}
