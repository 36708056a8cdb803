import { aliasedPath } from '../../adapters/services/aliases.js';
import { abciQueryError } from '../../core/sdk/query-error.js';
import type { AbciQuery, AbciQueryAnswer, AppQueries, Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { createStateReader, HeightPruned } from '../../store/state/latest.js';
import type { Ledger } from '../chain/ledger.js';
import type { Executor } from '../executor/executor.js';

export interface AbciQueryOptions {
  readonly store: KeyValueStore;
  readonly ledger: Ledger;
  readonly executor: Pick<Executor, 'prove'>;
  readonly queries: AppQueries;
  /** Calls a method of a node-level service; undefined for any other path. */
  readonly nodeService: (path: string, data: Uint8Array, height: Height) => Promise<AbciQueryAnswer | undefined>;
  readonly storeNames: ReadonlySet<string>;
  readonly version: string;
}

const BROADCAST = '/cosmos.tx.v1beta1.Service/BroadcastTx';

/**
 * Routes of `abci_query`: gRPC paths, raw store keys with proofs, `/app/...`, `/p2p/...` (cosmos-sdk v0.53 `Query` in
 * `baseapp/abci.go`).
 */
export function createAbciQuery(options: AbciQueryOptions): (query: AbciQuery) => Promise<Outcome<AbciQueryAnswer>> {
  const { ledger } = options;
  return async (query) => {
    const head = ledger.state.height;
    if (query.path === '') return refused(6, 'sdk', 'no query path provided: unknown request');
    if (query.height < 0n)
      return refused(18, 'sdk', 'cannot query with height < 0; please provide a valid height: invalid request');
    const height = query.height === 0n ? head : toHeight(query.height);
    const store = /^\/store\/([^/]*)\/key$/.exec(query.path);
    if (store?.[1] !== undefined) return height > head ? inFuture() : storeQuery(options, store[1], query, height);
    if (query.path === '/app/version') return answered(height, new TextEncoder().encode(options.version), 'sdk');
    if (/^\/p2p\/filter\/(addr|id)\/[^/]+$/.test(query.path)) return answered(toHeight(0n), new Uint8Array());
    if (height > head) return inFuture();
    if (query.path === BROADCAST) return refused(18, 'sdk', "can't route a broadcast tx message: invalid request");
    const served = await options.nodeService(query.path, query.data, height);
    if (served !== undefined) return { ok: true, value: served };
    const ran = await options.queries.query(aliasedPath(query.path), query.data, height);
    if (!ran.ok) return ran.error.code === 'height-pruned' ? pruned(height, head) : ran;
    const { value } = ran;
    if (value.ok) return answered(height, value.value);
    const { code, codespace, log } = abciQueryError(value);
    const unknownPath = value.code === 6;
    return refused(code, codespace, log, unknownPath ? 0n : height);
  };
}

async function storeQuery(
  options: AbciQueryOptions,
  name: string,
  query: AbciQuery,
  height: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  if (!options.storeNames.has(name)) return refused(4, 'store', `no such store: ${name}: unknown request`);
  if (query.data.length === 0) return refused(4, 'store', 'query cannot be zero length: transaction parse error');
  // No block holds the app hash of the genesis (`handleQueryStore` in `baseapp/abci.go`).
  if (query.prove && height <= 1n)
    return refused(
      18,
      'sdk',
      'cannot query with proof when height <= 1; please provide a valid height: invalid request',
    );
  const head = options.ledger.state.height;
  const answer = {
    code: 0,
    codespace: '',
    log: '',
    info: '',
    index: 0n,
    key: query.data,
    value: new Uint8Array(),
    proofOps: undefined,
    height,
  };
  try {
    const value = createStateReader(options.store, height).get(name, query.data) ?? new Uint8Array();
    if (!query.prove) return { ok: true, value: { ...answer, value } };
    const proved = await options.executor.prove(name, query.data, height);
    if (!proved.ok)
      return proved.error.code === 'height-pruned' ? pruned(height, head) : { ok: false, error: proved.error };
    return { ok: true, value: { ...answer, value, proofOps: proved.ops } };
  } catch (error) {
    if (error instanceof HeightPruned) return pruned(height, head);
    throw error;
  }
}

function inFuture(): Outcome<AbciQueryAnswer> {
  return refused(26, 'sdk', 'cannot query with height in the future; please provide a valid height: invalid height');
}

function answered(height: Height, value: Uint8Array, codespace = ''): Outcome<AbciQueryAnswer> {
  return {
    ok: true,
    value: {
      code: 0,
      codespace,
      log: '',
      info: '',
      index: 0n,
      key: new Uint8Array(),
      value,
      proofOps: undefined,
      height,
    },
  };
}

function refused(code: number, codespace: string, log: string, height = 0n): Outcome<AbciQueryAnswer> {
  return {
    ok: true,
    value: {
      code,
      codespace,
      log,
      info: '',
      index: 0n,
      key: new Uint8Array(),
      value: new Uint8Array(),
      proofOps: undefined,
      height,
    },
  };
}

function pruned(height: Height, head: Height): Outcome<AbciQueryAnswer> {
  return refused(
    38,
    'sdk',
    `failed to load state at height ${height}; version does not exist (latest height: ${head}): invalid request`,
  );
}
