import type { EthereumDevApi } from '../../../src/core/ethereum/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import type { StoredBlock } from '../../../src/core/comet/stored-block.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import type { SimulatedNode } from '../simulated-node.js';

/** A store that survives its closing, as a directory does. */
export function reopenable(store: KeyValueStore = new MemoryStore()): KeyValueStore {
  return {
    get: (key) => store.get(key),
    range: (options) => store.range(options),
    commit: (operations, options) => store.commit(operations, options),
    close: () => Promise.resolve(),
  };
}

export function devOf({ node }: SimulatedNode): EthereumDevApi {
  const dev = node.ethereum?.api.dev;
  if (dev === undefined) throw new Error('the node has no dev commands');
  return dev;
}

export async function value<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

export function head({ node }: SimulatedNode) {
  return node.api.queries.chain.head();
}

export function blockAt({ node }: SimulatedNode, height: bigint): StoredBlock | undefined {
  return node.api.queries.chain.block(toHeight(height));
}

/** Seconds of a block's time. */
export function secondOf(simulated: SimulatedNode, height: bigint): bigint {
  return blockAt(simulated, height)?.block.header?.time?.seconds ?? 0n;
}

export async function admit({ node }: SimulatedNode, tx: Uint8Array): Promise<number> {
  const answer = await node.api.commands.broadcastTx(tx);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value.code;
}
