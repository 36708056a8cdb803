/** Stands in for the RPC of a CometBFT that drives a node. */
import { servePosts } from '../../support/serve-posts.js';

export interface EngineRpcStandIn {
  readonly url: URL;
  close(): Promise<void>;
}

/** An RPC with these results by method; in a batch, each call has an empty result. */
export async function engineRpcWith(results: Readonly<Record<string, unknown>>): Promise<EngineRpcStandIn> {
  const { server, port } = await servePosts((body) => {
    const calls: Call | Call[] = JSON.parse(body);
    const answer = Array.isArray(calls)
      ? calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }))
      : { jsonrpc: '2.0', id: calls.id, result: results[calls.method] };
    return JSON.stringify(answer);
  });
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

interface Call {
  readonly id: number;
  readonly method: string;
}

/** The result of `status` of an engine of this chain. */
export const engineStatus = (network: string, isCatchingUp: boolean) => ({
  node_info: {
    protocol_version: { p2p: '8', block: '11', app: '1' },
    id: '5e0388b493d6010a5817ff3ff5b86125d216d7f1',
    listen_addr: 'tcp://0.0.0.0:26656',
    network,
    version: '0.38.21',
    channels: '40202122233038606100',
    moniker: 'the engine',
    other: { tx_index: 'off', rpc_address: 'tcp://0.0.0.0:26657' },
  },
  sync_info: { latest_block_height: '19', earliest_block_height: '3', catching_up: isCatchingUp },
});

/** The result of `net_info` of an engine with so many peers. */
export const engineNetwork = (peers: number) => ({ listening: true, listeners: [], n_peers: `${peers}`, peers: [] });
