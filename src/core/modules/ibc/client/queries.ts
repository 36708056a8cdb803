/** Client queries (ibc-go v10 `modules/core/02-client/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { text } from '../../../bytes/bytes.js';
import type { PageRequest } from '../../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { ParamsSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import * as pb from '../../../proto/ibc/core/client/v1/query_pb.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import type { Context } from '../../../sdk/module/context.js';
import { query } from '../../../sdk/module/module.js';
import { paginate } from '../../../sdk/module/pagination.js';
import { grpcError } from '../../../sdk/module/sdk-error.js';
import { attempt } from '../../../sdk/module/branch.js';
import { getPlan, upgradedClient, upgradedConsensusState } from '../../upgrade/plan-store.js';
import { clientStateAny, clientStatus, consensusStateAny, latestHeightOf, verifyClaimOf } from './clients.js';
import { getClientState } from './tendermint-store.js';
import { clientTypeOf, requireIdentifier } from '../identifiers.js';
import { clientKey, heightText } from '../keys.js';
import { heightOf, selfHeight } from '../self-height.js';
import { CLIENT_PARAMS, CLIENTS, LOCALHOST_CLIENT, pagesOf, readMessage, STORE } from '../store.js';

const SOLO_MACHINE = '06-solomachine';

/** One page of a client's heights with their consensus states, in key order. */
function statesOf(context: Context, clientId: string, pagination: PageRequest | undefined) {
  return paginate(
    { context, store: STORE, prefix: clientKey(clientId, 'consensusStates/') },
    pagination,
    ({ key, value }) => {
      const [, , , height = '', ...more] = text(key).split('/');
      const [revisionNumber = '0', revisionHeight = '0'] = height.split('-');
      // Metadata of a height have longer keys.
      return more.length > 0
        ? undefined
        : {
            height: { revisionNumber: BigInt(revisionNumber), revisionHeight: BigInt(revisionHeight) },
            consensusState: fromBinary(AnySchema, value),
          };
    },
  );
}

/** Throws InvalidArgument for a request that no client can verify (ibc-go `VerifyMembership`). */
function requireVerifiable({ clientId, proof, proofHeight, merklePath, value }: pb.QueryVerifyMembershipRequest): void {
  const refuse = (reason: string) => grpcError('InvalidArgument', reason);
  requireIdentifier('client', clientId);
  const type = clientTypeOf(clientId);
  if (type === undefined)
    throw refuse(`invalid client identifier ${clientId} is not in format: \`{client-type}-{N}\`: invalid identifier`);
  if (type === LOCALHOST_CLIENT || type === SOLO_MACHINE)
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
  query(pb.Query, 'clientState', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    const clientState = clientStateAny(context, clientId);
    if (clientState === undefined) throw grpcError('NotFound', `${clientId}: light client not found`);
    return { clientState, proofHeight: selfHeight(context) };
  }),
  query(pb.Query, 'clientStates', (context, { pagination }) =>
    paginate({ context, store: STORE, prefix: pagesOf(CLIENTS) }, pagination, ({ key, value }) => {
      const [, clientId = '', name, ...more] = text(key).split('/');
      return name === 'clientState' && more.length === 0
        ? { clientId, clientState: fromBinary(AnySchema, value) }
        : undefined;
    }),
  ),
  query(pb.Query, 'consensusState', (context, request) => {
    const { clientId, revisionHeight, latestHeight } = request;
    requireIdentifier('client', clientId);
    if (!latestHeight && revisionHeight === 0n)
      throw grpcError('InvalidArgument', 'consensus state height cannot be 0');
    const client = latestHeight ? getClientState(context, clientId) : undefined;
    const height = client === undefined ? request : latestHeightOf(client);
    const consensusState = consensusStateAny(context, clientId, height);
    if (consensusState === undefined)
      throw grpcError('NotFound', `client-id: ${clientId}, height: ${heightText(request)}: consensus state not found`);
    return { consensusState, proofHeight: selfHeight(context) };
  }),
  query(pb.Query, 'consensusStates', (context, { clientId, pagination }) => {
    requireIdentifier('client', clientId);
    return statesOf(context, clientId, pagination);
  }),
  query(pb.Query, 'consensusStateHeights', (context, { clientId, pagination }) => {
    requireIdentifier('client', clientId);
    const { rows, page } = statesOf(context, clientId, pagination);
    return { consensusStateHeights: rows.map(({ height }) => height), pagination: page };
  }),
  query(pb.Query, 'clientStatus', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    return { status: clientStatus(context, clientId) };
  }),
  query(pb.Query, 'clientParams', (context) => ({ params: readMessage(context, CLIENT_PARAMS, ParamsSchema) })),
  query(pb.Query, 'clientCreator', ({ store, chain }, { clientId }) => {
    requireIdentifier('client', clientId);
    const creator = store.get(STORE, clientKey(clientId, 'creator'));
    return {
      creator: creator === undefined ? '' : encodeAddress(chain.bech32Prefix, creator),
    };
  }),
  query(pb.Query, 'upgradedClientState', ({ store }) => {
    const plan = getPlan(store);
    if (plan === undefined) throw grpcError('NotFound', 'upgrade plan not found');
    const state = upgradedClient(store, plan.height);
    if (state === undefined) throw grpcError('NotFound', 'upgraded client not found');
    return { upgradedClientState: fromBinary(AnySchema, state) };
  }),
  query(pb.Query, 'upgradedConsensusState', ({ store, height }) => {
    const state = upgradedConsensusState(store, height);
    if (state.length === 0) throw grpcError('NotFound', `upgraded consensus state not found, height ${height}`);
    return { upgradedConsensusState: fromBinary(AnySchema, state) };
  }),
  query(pb.Query, 'verifyMembership', (context, request) => {
    requireVerifiable(request);
    const { clientId } = request;
    const status = clientStatus(context, clientId);
    if (status === 'Unauthorized')
      throw grpcError(
        'NotFound',
        `client (${clientId}) type ${clientTypeOf(clientId) ?? ''} is not in the allowed client list: invalid client type`,
      );
    if (status !== 'Active')
      throw grpcError(
        'FailedPrecondition',
        `cannot verify membership using client (${clientId}) with status ${status}: client state is not active`,
      );
    const { merklePath, proof, value, timeDelay, blockDelay } = request;
    const claim = {
      path: merklePath?.keyPath ?? [],
      value,
      proof,
      height: heightOf(request.proofHeight),
      delay: { time: timeDelay, blocks: blockDelay },
    };
    const success = attempt(context, (inner) => verifyClaimOf(inner, clientId, claim)) === undefined;
    return { success };
  }),
];
