/** `query ibc connection ...` (ibc-go v10 `modules/core/03-connection/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { clientConnectionsKey, connectionKey } from '../../core/modules/ibc/keys.js';
import { ClientPathsSchema, ConnectionEndSchema } from '../../core/proto/ibc/core/connection/v1/connection_pb.js';
import { Query } from '../../core/proto/ibc/core/connection/v1/query_pb.js';
import { proven } from '../table/provable.js';
import { evmUnary } from '../table/unary.js';
import type { CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { evmFirstPage } from '../table/query-rows.js';

const { method } = Query;

export const commands: readonly CommandRow[] = [
  ask('ibc connection params', 'parameters of connections', evmUnary(method.connectionParams, undefined, 'params')),
  evmFirstPage('ibc connection connections', 'all connections', method.connections),
  proven('ibc connection end <connection-id>', 'a connection', method.connection, {
    key: ({ text }) => connectionKey(text(0)),
    answer: (value, proof) => ({ connection: fromBinary(ConnectionEndSchema, value), ...proof }),
    missing: ({ text }) => `${text(0)}: connection not found`,
  }),
  proven('ibc connection path <client-id>', 'the connections that use a client', method.clientConnections, {
    key: ({ text }) => clientConnectionsKey(text(0)),
    answer: (value, proof) => ({ connectionPaths: fromBinary(ClientPathsSchema, value).paths, ...proof }),
    missing: ({ text }) => `${text(0)}: light client connection paths not found`,
  }),
];
