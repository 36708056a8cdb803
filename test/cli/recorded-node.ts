/** A consensus RPC over the recorded chain, for `--node`. */
import type { Server } from 'node:http';
import { createCometRpc } from '../../src/adapters/comet-rpc/index.js';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { recordedServices } from '../adapters/services/recorded-services.js';
import { servePosts } from '../support/serve-posts.js';
import { createHostTimers } from '../../src/runtime/host/time.js';

export interface RecordedRpc {
  readonly address: string;
  readonly server: Server;
}

/** Serves the recorded chain as it stood after `head`; the caller closes the server. */
export async function serveRecorded(head: bigint): Promise<RecordedRpc> {
  const { api } = await recordedServices(head);
  const rpc = createCometRpc({
    api,
    limits: DEFAULT_LIMITS,
    timers: createHostTimers(),
    application: { name: 'evmd', version: 'v0.6.0' },
  });
  const { server, port } = await servePosts(async (body) => {
    const { method, params, id }: { readonly method: string; readonly params: unknown; readonly id: number } =
      JSON.parse(body);
    const answer = await rpc.call(method, params);
    return answer.ok
      ? `{"jsonrpc":"2.0","id":${id},"result":${answer.result}}`
      : JSON.stringify({ jsonrpc: '2.0', id, error: answer.error });
  });
  return { address: `tcp://127.0.0.1:${port}`, server };
}
