/**
 * Queries of tokens over IBC (ibc-go v10 `modules/apps/transfer/keeper/grpc_query.go`). This build makes no channels:
 * it holds no token of another chain and has none of its own in escrow.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import { bytesOfDigits } from '../../bytes/hex.js';
import * as pb from '../../proto/ibc/applications/transfer/v1/query_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { isValidDenom } from '../../sdk/coins.js';
import { hexProblem } from '../../sdk/go-text.js';
import { query } from '../../sdk/module.js';
import { grpcError } from '../../sdk/sdk-error.js';
import { identifierProblem, requirePortAndChannel } from '../ibc/identifiers.js';
import { PARAMS_KEY, STORE } from './store.js';

const PATH = '/ibc.applications.transfer.v1.Query';
const HASH_BYTES = 32;
const CHANNEL_OR_CLIENT = /^\w+([\w-]+\w)?-[0-9]{1,20}$/;

/** Refuses a text that is no hash of a denomination; `ibc/` before it is left out, and an empty one passes. */
function requireHash(hash: string): void {
  const digits = hash.replace(/^ibc\//, '');
  const bytes = bytesOfDigits(digits);
  const problem =
    bytes === undefined
      ? `encoding/hex: ${hexProblem(digits)}`
      : bytes.length === 0 || bytes.length === HASH_BYTES
        ? undefined
        : `expected size to be ${HASH_BYTES} bytes, got ${bytes.length} bytes`;
  if (problem !== undefined) throw grpcError('InvalidArgument', `invalid denom trace hash: , error: ${problem}`);
}

/** Pairs of a port and a channel or client, then the denomination (ibc-go v10 `ExtractDenomFromPath`). */
function requirePath(path: string): void {
  const parts = path.split('/');
  const ports: string[] = [];
  if (parts.length > 2) while (CHANNEL_OR_CLIENT.test(parts[1] ?? '')) ports.push(...parts.splice(0, 2).slice(0, 1));
  if (parts.join('/').trim() === '')
    throw grpcError(
      'InvalidArgument',
      'base denomination cannot be blank: invalid denomination for cross-chain transfer',
    );
  for (const port of ports) {
    const problem = identifierProblem('port', port);
    if (problem !== undefined)
      throw grpcError('InvalidArgument', `invalid trace: invalid hop source port ID ${port}: ${problem}`);
  }
}

export const queries = [
  query(`${PATH}/Params`, pb.QueryParamsRequestSchema, pb.QueryParamsResponseSchema, ({ store }) =>
    create(pb.QueryParamsResponseSchema, {
      params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
    }),
  ),
  query(`${PATH}/Denoms`, pb.QueryDenomsRequestSchema, pb.QueryDenomsResponseSchema, () =>
    create(pb.QueryDenomsResponseSchema, { pagination: {} }),
  ),
  query(`${PATH}/Denom`, pb.QueryDenomRequestSchema, pb.QueryDenomResponseSchema, (_, { hash }) => {
    requireHash(hash);
    throw grpcError('NotFound', `${hash}: denomination not found`);
  }),
  query(`${PATH}/DenomHash`, pb.QueryDenomHashRequestSchema, pb.QueryDenomHashResponseSchema, (_, { trace }) => {
    requirePath(trace);
    throw grpcError('NotFound', `${trace}: denomination not found`);
  }),
  query(
    `${PATH}/EscrowAddress`,
    pb.QueryEscrowAddressRequestSchema,
    pb.QueryEscrowAddressResponseSchema,
    (_, request) => {
      requirePortAndChannel(request);
      throw grpcError('NotFound', `port ID (${request.portId}) channel ID (${request.channelId}): channel not found`);
    },
  ),
  query(
    `${PATH}/TotalEscrowForDenom`,
    pb.QueryTotalEscrowForDenomRequestSchema,
    pb.QueryTotalEscrowForDenomResponseSchema,
    (_, { denom }) => {
      if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`);
      return create(pb.QueryTotalEscrowForDenomResponseSchema, { amount: { denom, amount: '0' } });
    },
  ),
];
