import { aliasedPath } from '../../adapters/services/aliases.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { abciQueryError } from '../../core/sdk/module/query-error.js';
import type { AbciQuery, AbciQueryAnswer, AppQueries, Outcome } from '../../core/node-api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import { answered, belowZero, inFuture, pruned, refused, withoutProof } from './abci-answers.js';
import { storeQuery, type StoreQueryOptions } from './abci-store.js';

export interface AbciQueryOptions extends StoreQueryOptions {
  readonly ledger: Pick<Ledger, 'state' | 'earliestState'>;
  readonly queries: AppQueries;
  /** A method of a node-level service; undefined for any other path. */
  readonly nodeService: (path: string) => Promise<NodeMethodCall | undefined>;
  readonly version: string;
}

export type NodeMethodCall = (data: Uint8Array, height: Height) => Promise<AbciQueryAnswer>;

const BROADCAST = '/cosmos.tx.v1beta1.Service/BroadcastTx';

/**
 * Routes of `abci_query`: gRPC paths, `/app/...`, `/store/...`, `/p2p/...` (cosmos-sdk v0.53 `Query` in
 * `baseapp/abci.go`).
 */
export function createAbciQuery(options: AbciQueryOptions): (query: AbciQuery) => Promise<Outcome<AbciQueryAnswer>> {
  const { ledger, queries, nodeService } = options;
  return async (query) => {
    const head = ledger.state.height;
    if (query.path === BROADCAST) return refused(18, 'sdk', "can't route a broadcast tx message: invalid request");
    const ofApp = aliasedPath(query.path);
    if (queries.paths.has(ofApp))
      return grpcQuery(query, head, (height) => appQuery(queries, ofApp, query, height, head));
    const method = await nodeService(query.path);
    if (method !== undefined)
      return grpcQuery(query, head, async (height) => ({ ok: true, value: await method(query.data, height) }));
    return plainQuery(options, query, head);
  };
}

/** Runs a gRPC query at the head or at an earlier height. */
async function grpcQuery(
  { height, prove }: AbciQuery,
  head: Height,
  run: (height: Height) => Promise<Outcome<AbciQueryAnswer>>,
): Promise<Outcome<AbciQueryAnswer>> {
  if (height < 0n) return belowZero();
  if (height > head) return inFuture();
  const at = height === 0n ? head : toHeight(height);
  return at === 1n && prove ? withoutProof() : run(at);
}

async function appQuery(
  queries: AppQueries,
  path: string,
  { data }: AbciQuery,
  height: Height,
  head: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  const ran = await queries.query(path, data, height);
  if (!ran.ok) return ran.error.code === 'state-pruned' ? pruned(height, head) : ran;
  if (ran.value.ok) return answered(height, ran.value.value);
  const { code, codespace, log } = abciQueryError(ran.value);
  return refused(code, codespace, log, height);
}

/** Answers `/app/...` and other paths that BaseApp handles itself. */
async function plainQuery(
  options: AbciQueryOptions,
  query: AbciQuery,
  head: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  const parts = query.path.replace(/^\//, '').split('/');
  const [kind = '', first, ...rest] = parts;
  if (query.path === '') return unknownRequest('no query path provided');
  const height = query.height === 0n ? head : query.height;
  switch (kind) {
    case 'app':
      if (first === 'simulate') {
        const { simulateQuery } = await import('./abci-simulation.js');
        return simulateQuery(options.queries, query.data, height);
      }
      if (first === 'version') return answered(height, new TextEncoder().encode(options.version), { codespace: 'sdk' });
      return unknownRequest(
        first === undefined
          ? "expected second parameter to be either 'simulate' or 'version', neither was present"
          : `unknown query: [${parts.join(' ')}]`,
      );
    case 'store':
      return storeQuery(
        options,
        { name: first ?? '', what: rest.length === 0 ? '' : `/${rest.join('/')}` },
        query,
        head,
      );
    case 'p2p':
      if (rest.length < 2) return unknownRequest('path should be p2p filter <addr|id> <parameter>');
      if (first !== 'filter') return unknownRequest("expected second parameter to be 'filter'");
      // The Go node returns a nil response for other kinds, which closes the connection; here it is an error.
      if (rest[0] !== 'addr' && rest[0] !== 'id')
        return unknownRequest('path should be p2p filter <addr|id> <parameter>');
      return answered(0n, EMPTY);
    default:
      return unknownRequest('unknown query path');
  }
}

function unknownRequest(text: string): Outcome<AbciQueryAnswer> {
  return refused(6, 'sdk', `${text}: unknown request`);
}
