/**
 * Queries of IBC's channels (ibc-go v10 `modules/core/04-channel/keeper/grpc_query.go`). This build makes no channels:
 * lists are empty, and each channel that a request names is not found.
 */
import { create } from '@bufbuild/protobuf';
import * as pb from '../../proto/ibc/core/channel/v1/query_pb.js';
import { query } from '../../sdk/module.js';
import { grpcError } from '../../sdk/sdk-error.js';
import { requireIdentifier, requirePortAndChannel } from './identifiers.js';
import { selfHeight } from './self-height.js';

const PATH = '/ibc.core.channel.v1.Query';

interface Named {
  readonly portId: string;
  readonly channelId: string;
}

function refuse(what: string): never {
  throw grpcError('NotFound', `${what} not found`);
}

/** The refusal of queries that read the channel. */
function noChannel(request: Named): never {
  requirePortAndChannel(request);
  refuse(`port-id: ${request.portId}, channel-id ${request.channelId}: channel`);
}

/** The refusal of queries about the packets of a channel. */
function noPackets(request: Named): never {
  requirePortAndChannel(request);
  refuse(`port ID (${request.portId}) channel ID (${request.channelId}): channel`);
}

/** The refusal of queries about one packet. */
function noPacket(request: Named & { readonly sequence: bigint }): never {
  requirePortAndChannel(request);
  if (request.sequence === 0n) throw grpcError('InvalidArgument', 'packet sequence cannot be 0');
  noPackets(request);
}

export const channelQueries = [
  query(`${PATH}/Channel`, pb.QueryChannelRequestSchema, pb.QueryChannelResponseSchema, (_, request) =>
    noChannel(request),
  ),
  query(`${PATH}/Channels`, pb.QueryChannelsRequestSchema, pb.QueryChannelsResponseSchema, (context) =>
    create(pb.QueryChannelsResponseSchema, { pagination: {}, height: selfHeight(context) }),
  ),
  query(
    `${PATH}/ConnectionChannels`,
    pb.QueryConnectionChannelsRequestSchema,
    pb.QueryConnectionChannelsResponseSchema,
    (context, { connection }) => {
      requireIdentifier('connection', connection);
      return create(pb.QueryConnectionChannelsResponseSchema, { pagination: {}, height: selfHeight(context) });
    },
  ),
  query(
    `${PATH}/ChannelClientState`,
    pb.QueryChannelClientStateRequestSchema,
    pb.QueryChannelClientStateResponseSchema,
    (_, request) => {
      requirePortAndChannel(request);
      refuse(`port-id: ${request.portId}, channel-id: ${request.channelId}: channel`);
    },
  ),
  query(
    `${PATH}/ChannelConsensusState`,
    pb.QueryChannelConsensusStateRequestSchema,
    pb.QueryChannelConsensusStateResponseSchema,
    (_, request) => noChannel(request),
  ),
  query(
    `${PATH}/PacketCommitment`,
    pb.QueryPacketCommitmentRequestSchema,
    pb.QueryPacketCommitmentResponseSchema,
    (_, request) => noPacket(request),
  ),
  query(
    `${PATH}/PacketCommitments`,
    pb.QueryPacketCommitmentsRequestSchema,
    pb.QueryPacketCommitmentsResponseSchema,
    (_, request) => noPackets(request),
  ),
  query(
    `${PATH}/PacketReceipt`,
    pb.QueryPacketReceiptRequestSchema,
    pb.QueryPacketReceiptResponseSchema,
    (_, request) => noPacket(request),
  ),
  query(
    `${PATH}/PacketAcknowledgement`,
    pb.QueryPacketAcknowledgementRequestSchema,
    pb.QueryPacketAcknowledgementResponseSchema,
    (_, request) => noPacket(request),
  ),
  query(
    `${PATH}/PacketAcknowledgements`,
    pb.QueryPacketAcknowledgementsRequestSchema,
    pb.QueryPacketAcknowledgementsResponseSchema,
    (_, request) => noPackets(request),
  ),
  query(
    `${PATH}/UnreceivedPackets`,
    pb.QueryUnreceivedPacketsRequestSchema,
    pb.QueryUnreceivedPacketsResponseSchema,
    (_, request) => noChannel(request),
  ),
  query(
    `${PATH}/UnreceivedAcks`,
    pb.QueryUnreceivedAcksRequestSchema,
    pb.QueryUnreceivedAcksResponseSchema,
    (_, request) => noPackets(request),
  ),
  query(
    `${PATH}/NextSequenceReceive`,
    pb.QueryNextSequenceReceiveRequestSchema,
    pb.QueryNextSequenceReceiveResponseSchema,
    (_, request) => noChannel(request),
  ),
  query(
    `${PATH}/NextSequenceSend`,
    pb.QueryNextSequenceSendRequestSchema,
    pb.QueryNextSequenceSendResponseSchema,
    (_, request) => {
      requirePortAndChannel(request);
      refuse(`port-id: ${request.portId}, channel-id ${request.channelId}: sequence send`);
    },
  ),
];
