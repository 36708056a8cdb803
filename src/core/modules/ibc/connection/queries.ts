/** Connection queries (ibc-go v10 `modules/core/03-connection/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { text } from '../../../bytes/bytes.js';
import {
  type ConnectionEnd,
  ConnectionEndSchema,
  ParamsSchema,
} from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import * as pb from '../../../proto/ibc/core/connection/v1/query_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { query } from '../../../sdk/module/module.js';
import { paginate } from '../../../sdk/module/pagination.js';
import { grpcError } from '../../../sdk/module/sdk-error.js';
import { clientStateAny, consensusStateAny } from '../client/clients.js';
import { clientConnections, getConnection } from './connections.js';
import { requireIdentifier } from '../identifiers.js';
import { selfHeight } from '../self-height.js';
import { CONNECTION_PARAMS, CONNECTIONS, identified, pagesOf, readMessage, STORE } from '../store.js';

/** Reads a connection; `label` precedes the id in the error text. */
function requireConnection(context: Context, id: string, label = ''): ConnectionEnd {
  requireIdentifier('connection', id);
  const found = getConnection(context, id);
  if (found === undefined) throw grpcError('NotFound', `${label}${id}: connection not found`);
  return found;
}

export const connectionQueries = [
  query(pb.Query, 'connection', (context, request) => ({
    connection: requireConnection(context, request.connectionId),
    proofHeight: selfHeight(context),
  })),
  query(pb.Query, 'connections', (context, { pagination }) => {
    const { rows, page } = paginate(
      { context, store: STORE, prefix: pagesOf(CONNECTIONS) },
      pagination,
      ({ key, value }) => identified(text(key.subarray(CONNECTIONS.length)), fromBinary(ConnectionEndSchema, value)),
    );
    return { connections: rows, pagination: page, height: selfHeight(context) };
  }),
  query(pb.Query, 'clientConnections', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    const paths = clientConnections(context, clientId);
    if (paths === undefined) throw grpcError('NotFound', `${clientId}: light client connection paths not found`);
    return {
      connectionPaths: [...paths],
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'connectionClientState', (context, { connectionId }) => {
    const { clientId } = requireConnection(context, connectionId, 'connection-id: ');
    const clientState = clientStateAny(context, clientId);
    if (clientState === undefined) throw grpcError('NotFound', `client-id: ${clientId}: light client not found`);
    return {
      identifiedClientState: { clientId, clientState },
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'connectionConsensusState', (context, request) => {
    const { clientId } = requireConnection(context, request.connectionId, 'connection-id: ');
    const consensusState = consensusStateAny(context, clientId, request);
    if (consensusState === undefined) throw grpcError('NotFound', `client-id: ${clientId}: consensus state not found`);
    return {
      clientId,
      consensusState,
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'connectionParams', (context) => ({ params: readMessage(context, CONNECTION_PARAMS, ParamsSchema) })),
];
