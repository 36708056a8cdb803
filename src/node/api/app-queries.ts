import type { Application, QueryContext } from '../../core/application.js';
import { fromTimestamp } from '../../core/comet/time.js';
import type { Limits } from '../../core/limits.js';
import type { AppQueries } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Ledger } from '../chain/ledger.js';

export interface AppQueriesOptions {
  readonly store: KeyValueStore;
  readonly ledger: Ledger;
  readonly application: Application;
  readonly limits: Pick<Limits, 'rangeRows' | 'searchRows'>;
}

/** Queries and simulations of the application over the state tables, pinned to the published head. */
export function createAppQueries({ store, ledger, application, limits }: AppQueriesOptions): AppQueries {
  return {
    paths: application.queryPaths,
    query: (path, data, height) =>
      readStateAt(store, height, (state) => application.query(state, contextAt(ledger, height), path, data), limits),
    simulate: (tx) => readStateAt(store, 'latest', (state) => application.simulate(state, contextAt(ledger, ledger.state.height), tx), limits),
  };
}

/** Context of a query: the facts of the block whose state it reads. */
export function contextAt(ledger: Ledger, height: Height): QueryContext {
  const header = ledger.block(height)?.block.header;
  return { chainId: ledger.state.chainId, height, time: header === undefined ? ledger.state.time : fromTimestamp(header.time) };
}
