import type { Application } from '../../core/application.js';
import type { BlockContext, QueryResult, SimulateResult } from '../../core/application-requests.js';
import { unwrapTransaction } from '../../core/ethereum/wrapped-transaction.js';
import type { Limits } from '../../core/limits/limits.js';
import type { AppQueries, Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export interface AppQueriesOptions {
  readonly store: KeyValueStore;
  readonly ledger: Pick<Ledger, 'context' | 'earliestState'>;
  readonly application: Application;
  /** Block context of simulations: the head, with the time of the next block if it is known. */
  readonly trial: () => BlockContext;
  readonly limits: Pick<Limits, 'rangeRows' | 'searchRows'>;
  /** Runs on the pool: EVM work would block the main thread. */
  readonly beside: {
    query(path: string, data: Uint8Array, at: BlockContext): Promise<Outcome<QueryResult>>;
    list(path: string, data: Uint8Array, at: BlockContext): Promise<Outcome<QueryResult>>;
    simulate(tx: Uint8Array, at: BlockContext): Promise<Outcome<SimulateResult>>;
  };
}

/** Queries that run the EVM with up to the caller's gas limit. */
const LONG: ReadonlySet<string> = new Set(
  ['EthCall', 'EstimateGas', 'TraceTx', 'TraceBlock', 'TraceCall'].map((name) => `/cosmos.evm.vm.v1.Query/${name}`),
);

/**
 * Creates the application's queries and simulations over the stored state, at the published head or below. A query
 * that reads many rows, such as one that counts a table, continues on the pool; one with a long request runs there.
 */
export function createAppQueries({ store, ledger, application, trial, limits, beside }: AppQueriesOptions): AppQueries {
  const few = { ...limits, searchRows: Math.min(limits.searchRows, FIXED_LIMITS.queryRows) };
  const shortly = async (path: string, data: Uint8Array, at: BlockContext): Promise<Outcome<QueryResult>> => {
    const read = await readStateAt(store, at.height, (state) => application.query(state, at, path, data), few);
    const isLong = !read.ok && read.error.code === 'limit-exceeded' && read.error.limit === 'searchRows';
    return isLong ? beside.list(path, data, at) : read;
  };
  return {
    paths: application.queryPaths,
    query: async (path, data, height) => {
      const lowest = ledger.earliestState();
      if (height < lowest) return { ok: false, error: { code: 'state-pruned', height, lowest } };
      const at = ledger.context(height);
      if (LONG.has(path)) return beside.query(path, data, at);
      return data.length > FIXED_LIMITS.shortQueryBytes ? beside.list(path, data, at) : shortly(path, data, at);
    },
    simulate: (tx) => {
      const at = trial();
      if (tx.length > FIXED_LIMITS.shortTxBytes || unwrapTransaction(tx) !== undefined) return beside.simulate(tx, at);
      return readStateAt(store, 'latest', (state) => application.simulate(state, at, tx), limits);
    },
  };
}
