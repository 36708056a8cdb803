/**
 * Queries of IBC's clients (ibc-go v10 `modules/core/02-client/keeper/grpc_query.go`). This build makes no clients:
 * lists are empty, and each client that a request names is not found.
 */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema } from '../../proto/ibc/core/client/v1/client_pb.js';
import * as pb from '../../proto/ibc/core/client/v1/query_pb.js';
import type { Context } from '../../sdk/context.js';
import { query } from '../../sdk/module.js';
import { grpcError } from '../../sdk/sdk-error.js';
import { getPlan } from '../upgrade/plan-store.js';
import { requireIdentifier } from './identifiers.js';
import { CLIENT_PARAMS, LOCALHOST_CLIENT, readMessage } from './store.js';

const PATH = '/ibc.core.client.v1.Query';
const TENDERMINT = '07-tendermint';
const SOLO_MACHINE = '06-solomachine';

/** `Unauthorized` for a type of clients that the chain does not have or does not allow (ibc-go `GetClientStatus`). */
function statusOf(context: Context, id: string): string {
  const type = id === LOCALHOST_CLIENT ? id : /^(07-tendermint)-[0-9]{1,20}$/.exec(id)?.[1];
  const { allowedClients } = readMessage(context, CLIENT_PARAMS, ParamsSchema);
  if (type === undefined || !(allowedClients[0] === '*' || allowedClients.includes(type))) return 'Unauthorized';
  return type === TENDERMINT ? 'Unknown' : 'Active';
}

/** The type in the identifier of a client, `{client-type}-{N}`. */
function typeOf(id: string): string {
  return id === LOCALHOST_CLIENT ? id : id.slice(0, id.lastIndexOf('-'));
}

/** Throws InvalidArgument for what no client can verify (ibc-go `VerifyMembership`). */
function requireVerifiable({ clientId, proof, proofHeight, merklePath, value }: pb.QueryVerifyMembershipRequest): void {
  const refuse = (reason: string) => grpcError('InvalidArgument', reason);
  requireIdentifier('client', clientId);
  if (clientId !== LOCALHOST_CLIENT && !/^\w+(?:[\w-]+\w)?-[0-9]{1,20}$/.test(clientId))
    throw refuse(`invalid client identifier ${clientId} is not in format: \`{client-type}-{N}\`: invalid identifier`);
  if ([LOCALHOST_CLIENT, SOLO_MACHINE].includes(typeOf(clientId)))
    throw refuse(
      `verify membership is disabled for client types [${LOCALHOST_CLIENT} ${SOLO_MACHINE}]: invalid client type`,
    );
  if (proof.length === 0) throw refuse('empty proof');
  if (proofHeight === undefined || (proofHeight.revisionNumber === 0n && proofHeight.revisionHeight === 0n))
    throw refuse('proof height must be non-zero');
  if ((merklePath?.keyPath ?? []).length === 0) throw refuse('empty merkle path');
  if (value.length === 0) throw refuse('empty value');
}

export const clientQueries = [
  query(
    `${PATH}/ClientState`,
    pb.QueryClientStateRequestSchema,
    pb.QueryClientStateResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      throw grpcError('NotFound', `${clientId}: light client not found`);
    },
  ),
  query(`${PATH}/ClientStates`, pb.QueryClientStatesRequestSchema, pb.QueryClientStatesResponseSchema, () =>
    create(pb.QueryClientStatesResponseSchema, { pagination: {} }),
  ),
  query(
    `${PATH}/ConsensusState`,
    pb.QueryConsensusStateRequestSchema,
    pb.QueryConsensusStateResponseSchema,
    (_, { clientId, revisionNumber, revisionHeight, latestHeight }) => {
      requireIdentifier('client', clientId);
      if (!latestHeight && revisionHeight === 0n)
        throw grpcError('InvalidArgument', 'consensus state height cannot be 0');
      const height = `${revisionNumber}-${revisionHeight}`;
      throw grpcError('NotFound', `client-id: ${clientId}, height: ${height}: consensus state not found`);
    },
  ),
  query(
    `${PATH}/ConsensusStates`,
    pb.QueryConsensusStatesRequestSchema,
    pb.QueryConsensusStatesResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      return create(pb.QueryConsensusStatesResponseSchema, { pagination: {} });
    },
  ),
  query(
    `${PATH}/ConsensusStateHeights`,
    pb.QueryConsensusStateHeightsRequestSchema,
    pb.QueryConsensusStateHeightsResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      return create(pb.QueryConsensusStateHeightsResponseSchema, { pagination: {} });
    },
  ),
  query(
    `${PATH}/ClientStatus`,
    pb.QueryClientStatusRequestSchema,
    pb.QueryClientStatusResponseSchema,
    (context, { clientId }) => {
      requireIdentifier('client', clientId);
      return create(pb.QueryClientStatusResponseSchema, { status: statusOf(context, clientId) });
    },
  ),
  query(`${PATH}/ClientParams`, pb.QueryClientParamsRequestSchema, pb.QueryClientParamsResponseSchema, (context) =>
    create(pb.QueryClientParamsResponseSchema, { params: readMessage(context, CLIENT_PARAMS, ParamsSchema) }),
  ),
  query(
    `${PATH}/ClientCreator`,
    pb.QueryClientCreatorRequestSchema,
    pb.QueryClientCreatorResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      return create(pb.QueryClientCreatorResponseSchema);
    },
  ),
  query(
    `${PATH}/UpgradedClientState`,
    pb.QueryUpgradedClientStateRequestSchema,
    pb.QueryUpgradedClientStateResponseSchema,
    ({ store }) => {
      const what = getPlan(store) === undefined ? 'upgrade plan' : 'upgraded client';
      throw grpcError('NotFound', `${what} not found`);
    },
  ),
  query(
    `${PATH}/UpgradedConsensusState`,
    pb.QueryUpgradedConsensusStateRequestSchema,
    pb.QueryUpgradedConsensusStateResponseSchema,
    ({ height }) => {
      throw grpcError('NotFound', `upgraded consensus state not found, height ${height}`);
    },
  ),
  query(
    `${PATH}/VerifyMembership`,
    pb.QueryVerifyMembershipRequestSchema,
    pb.QueryVerifyMembershipResponseSchema,
    (context, request) => {
      requireVerifiable(request);
      const { clientId } = request;
      const status = statusOf(context, clientId);
      if (status === 'Unauthorized')
        throw grpcError(
          'NotFound',
          `client (${clientId}) type ${typeOf(clientId)} is not in the allowed client list: invalid client type`,
        );
      throw grpcError(
        'FailedPrecondition',
        `cannot verify membership using client (${clientId}) with status ${status}: client state is not active`,
      );
    },
  ),
];
