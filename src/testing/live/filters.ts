/** Polling filters of an Ethereum face, in the form that the model uses. */
import { BrokenPromise } from '../model.js';
import type { EthereumInterest } from '../protocol-ethereum.js';
import type { FilterFace } from '../target.js';
import { ethereumKey, plainHash, type ChainFact } from './facts.js';
import { RpcError, type Rpc } from './wire.js';

/** Filters expire after five minutes without a request, as in go-ethereum (`eth/filters/filter_system.go`). */
const IDLE_MS = 300_000;

/** @param rpc the connection of the moment; a restart of the node makes another one */
export function filtersOf(rpc: () => Rpc, interests: readonly EthereumInterest<ChainFact>[]): FilterFace {
  const kinds = new Map<string, string>();
  const uninstalled = new Set<string>();
  return {
    idleMs: IDLE_MS,
    now: () => Date.now(),
    async install(name) {
      const [kind = '', options] = interests.find((interest) => interest.name === name)?.params ?? [];
      const id = await rpc().call(METHODS[kind] ?? '', options === undefined ? [] : [options]);
      if (typeof id !== 'string') throw new BrokenPromise('answered', `a filter has the id ${JSON.stringify(id)}`);
      kinds.set(id, kind);
      return id;
    },
    async poll(id) {
      const items = await found(rpc().call('eth_getFilterChanges', [id]));
      if (items === undefined) return undefined;
      if (!Array.isArray(items)) throw new BrokenPromise('readable', `a poll answered ${JSON.stringify(items)}`);
      return items.map((item: unknown) => keyOf(kinds.get(id), item));
    },
    async inspect(id) {
      // `eth_getFilterLogs` is the only other request that names a filter, and it takes log filters only.
      if (kinds.get(id) !== 'logs') return !uninstalled.has(id);
      return (await found(rpc().call('eth_getFilterLogs', [id]))) !== undefined;
    },
    async uninstall(id) {
      uninstalled.add(id);
      return (await rpc().call('eth_uninstallFilter', [id])) === true;
    },
  };
}

const METHODS: Readonly<Record<string, string>> = {
  newHeads: 'eth_newBlockFilter',
  newPendingTransactions: 'eth_newPendingTransactionFilter',
  logs: 'eth_newFilter',
};

function keyOf(kind: string | undefined, item: unknown): string {
  const key = kind === 'newHeads' && typeof item === 'string' ? `head ${plainHash(item)}` : ethereumKey(item);
  if (key === undefined) throw new BrokenPromise('readable', `a poll answered ${JSON.stringify(item)}`);
  return key;
}

/** Awaits an answer; undefined when the server answers that the filter does not exist. */
async function found(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcError && error.message.includes('filter not found')) return undefined;
    throw error;
  }
}
