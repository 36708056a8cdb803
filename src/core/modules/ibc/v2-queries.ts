/**
 * Queries of IBC v2, whose packets go from client to client without channels (ibc-go v10
 * `modules/core/02-client/v2/keeper/grpc_query.go` and `modules/core/04-channel/v2/keeper/grpc_query.go`). No client of
 * this build has a counterparty: no packet was sent, received or acknowledged.
 */
import { create } from '@bufbuild/protobuf';
import * as channel from '../../proto/ibc/core/channel/v2/query_pb.js';
import * as client from '../../proto/ibc/core/client/v2/query_pb.js';
import { query } from '../../sdk/module/module.js';
import { emptyPage } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireIdentifier } from './identifiers.js';
import { selfHeight } from './self-height.js';

const CLIENT = '/ibc.core.client.v2.Query';
const CHANNEL = '/ibc.core.channel.v2.Query';

function requireSequence(sequence: bigint): void {
  if (sequence === 0n) throw grpcError('InvalidArgument', 'packet sequence cannot be 0');
}

/** The refusal of queries about one packet. */
function noPacket({ clientId, sequence }: { clientId: string; sequence: bigint }, what: string): never {
  requireIdentifier('client', clientId);
  requireSequence(sequence);
  throw grpcError('NotFound', `packet ${what} hash not found`);
}

export const v2Queries = [
  query(
    `${CLIENT}/CounterpartyInfo`,
    client.QueryCounterpartyInfoRequestSchema,
    client.QueryCounterpartyInfoResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      throw grpcError('NotFound', `client ${clientId} counterparty not found`);
    },
  ),
  query(`${CLIENT}/Config`, client.QueryConfigRequestSchema, client.QueryConfigResponseSchema, (_, { clientId }) => {
    requireIdentifier('client', clientId);
    return create(client.QueryConfigResponseSchema, { config: {} });
  }),
  query(
    `${CHANNEL}/NextSequenceSend`,
    channel.QueryNextSequenceSendRequestSchema,
    channel.QueryNextSequenceSendResponseSchema,
    (_, { clientId }) => {
      requireIdentifier('client', clientId);
      throw grpcError('NotFound', `client-id ${clientId}: sequence send not found`);
    },
  ),
  query(
    `${CHANNEL}/PacketCommitment`,
    channel.QueryPacketCommitmentRequestSchema,
    channel.QueryPacketCommitmentResponseSchema,
    (_, request) => noPacket(request, 'commitment'),
  ),
  query(
    `${CHANNEL}/PacketCommitments`,
    channel.QueryPacketCommitmentsRequestSchema,
    channel.QueryPacketCommitmentsResponseSchema,
    (context, { clientId, pagination }) => {
      requireIdentifier('client', clientId);
      return create(channel.QueryPacketCommitmentsResponseSchema, {
        pagination: emptyPage(pagination),
        height: selfHeight(context),
      });
    },
  ),
  query(
    `${CHANNEL}/PacketAcknowledgement`,
    channel.QueryPacketAcknowledgementRequestSchema,
    channel.QueryPacketAcknowledgementResponseSchema,
    (_, request) => noPacket(request, 'acknowledgement'),
  ),
  query(
    `${CHANNEL}/PacketAcknowledgements`,
    channel.QueryPacketAcknowledgementsRequestSchema,
    channel.QueryPacketAcknowledgementsResponseSchema,
    (context, { clientId, packetCommitmentSequences, pagination }) => {
      requireIdentifier('client', clientId);
      return create(channel.QueryPacketAcknowledgementsResponseSchema, {
        ...(packetCommitmentSequences.length === 0 && { pagination: emptyPage(pagination) }),
        height: selfHeight(context),
      });
    },
  ),
  query(
    `${CHANNEL}/PacketReceipt`,
    channel.QueryPacketReceiptRequestSchema,
    channel.QueryPacketReceiptResponseSchema,
    (context, { clientId, sequence }) => {
      requireIdentifier('client', clientId);
      requireSequence(sequence);
      return create(channel.QueryPacketReceiptResponseSchema, { proofHeight: selfHeight(context) });
    },
  ),
  query(
    `${CHANNEL}/UnreceivedPackets`,
    channel.QueryUnreceivedPacketsRequestSchema,
    channel.QueryUnreceivedPacketsResponseSchema,
    (context, { clientId, sequences }) => {
      requireIdentifier('client', clientId);
      const zero = sequences.indexOf(0n);
      if (zero !== -1) throw grpcError('InvalidArgument', `packet sequence ${zero} cannot be 0`);
      return create(channel.QueryUnreceivedPacketsResponseSchema, { sequences, height: selfHeight(context) });
    },
  ),
  query(
    `${CHANNEL}/UnreceivedAcks`,
    channel.QueryUnreceivedAcksRequestSchema,
    channel.QueryUnreceivedAcksResponseSchema,
    (context, { clientId, packetAckSequences }) => {
      requireIdentifier('client', clientId);
      for (const sequence of packetAckSequences) requireSequence(sequence);
      return create(channel.QueryUnreceivedAcksResponseSchema, { height: selfHeight(context) });
    },
  ),
];
