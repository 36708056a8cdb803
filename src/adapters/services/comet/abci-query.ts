import { Service } from '../../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import { type NodeMethod, unary } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';

/** First path segments that this method passes on; gRPC paths have their own methods. */
const KINDS: ReadonlySet<string> = new Set(['app', 'custom', 'p2p', 'store']);

/** `abci_query` over gRPC: raw store keys with proofs, the version of the application, peer filters. */
export const abciQueryMethod: NodeMethod = unary(
  Service.method.aBCIQuery,
  async ({ data, path, height, prove }, { api }) => {
    if (path === '') return refusal(STATUS.invalidArgument, 'empty query path');
    const kind = (path.startsWith('/') ? path.slice(1) : path).split('/', 1)[0] ?? '';
    if (!KINDS.has(kind)) return refusal(STATUS.invalidArgument, `unsupported ABCI query path: ${path}`);
    const queried = await api.queries.abciQuery({ path, data, height, prove });
    if (!queried.ok) return refusalOf(queried.error);
    const { proofOps, ...answer } = queried.value;
    return {
      ok: true,
      value: {
        ...answer,
        ...(proofOps && {
          proofOps: { ops: proofOps.map(({ type, key, data: proof }) => ({ type, key, data: proof })) },
        }),
      },
    };
  },
);
