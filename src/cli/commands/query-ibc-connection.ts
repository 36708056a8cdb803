/** `query ibc connection ...` (ibc-go v10 `modules/core/03-connection/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { clientConnectionsKey, connectionKey } from '../../core/modules/ibc/keys.js';
import { ClientPathsSchema, ConnectionEndSchema } from '../../core/proto/ibc/core/connection/v1/connection_pb.js';
import { Query } from '../../core/proto/ibc/core/connection/v1/query_pb.js';
import { firstPage } from '../first-page.js';
import { provable } from '../provable.js';
import { evmUnary } from '../unary.js';

const { method } = Query;

export const params = evmUnary(method.connectionParams, () => ({}), 'params');
export const connections = evmUnary(method.connections, firstPage);

export const end = provable(method.connection, {
  key: ({ text }) => connectionKey(text(0)),
  answer: (value, proof) => ({ connection: fromBinary(ConnectionEndSchema, value), ...proof }),
  missing: ({ text }) => `${text(0)}: connection not found`,
  request: ({ text }) => ({ connectionId: text(0) }),
});

export const path = provable(method.clientConnections, {
  key: ({ text }) => clientConnectionsKey(text(0)),
  answer: (value, proof) => ({ connectionPaths: fromBinary(ClientPathsSchema, value).paths, ...proof }),
  missing: ({ text }) => `${text(0)}: light client connection paths not found`,
  request: ({ text }) => ({ clientId: text(0) }),
});
