/**
 * Packet queries, with which relayers find pending packets (ibc-go v10
 * `modules/core/04-channel/keeper/grpc_query.go`).
 */
import { readBe64 } from '../../../bytes/big-endian.js';
import { text } from '../../../bytes/bytes.js';
import { type Channel, Order } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import * as pb from '../../../proto/ibc/core/channel/v1/query_pb.js';
import type { PageRequest } from '../../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { query } from '../../../sdk/module/module.js';
import { paginate } from '../../../sdk/module/pagination.js';
import { grpcError } from '../../../sdk/module/sdk-error.js';
import { getChannel } from './channels.js';
import { requirePortAndChannel } from '../identifiers.js';
import { nextSequenceRecvKey, packetKey, packetsPrefix, type PortChannel } from '../keys.js';
import { orderName } from '../names.js';
import { selfHeight } from '../self-height.js';
import { STORE } from '../store.js';

function refuse(what: string): never {
  throw grpcError('NotFound', `${what} not found`);
}

/** Requires the channel of a packet query. */
function requireChannel(context: Context, request: PortChannel): Channel {
  requirePortAndChannel(request);
  return (
    getChannel(context, request) ?? refuse(`port ID (${request.portId}) channel ID (${request.channelId}): channel`)
  );
}

/** Requires the channel of a query about one packet. */
function requirePacket(context: Context, request: PortChannel & { readonly sequence: bigint }): void {
  requirePortAndChannel(request);
  if (request.sequence === 0n) throw grpcError('InvalidArgument', 'packet sequence cannot be 0');
  requireChannel(context, request);
}

function requireSequences(sequences: readonly bigint[]): void {
  const zero = sequences.indexOf(0n);
  if (zero !== -1) throw grpcError('InvalidArgument', `packet sequence ${zero} cannot be 0`);
}

type Kind = Parameters<typeof packetKey>[0];

const valueOf = ({ store }: Context, kind: Kind, channel: PortChannel, sequence: bigint): Uint8Array | undefined =>
  store.get(STORE, packetKey(kind, channel, sequence));

/** One page of a channel's packet records. */
function packetsOf(context: Context, kind: Kind, { portId, channelId }: PortChannel, request: PageRequest | undefined) {
  // Page keys begin with the slash.
  const prefix = packetsPrefix(kind, { portId, channelId }).subarray(0, -1);
  return paginate({ context, store: STORE, prefix }, request, ({ key, value }) => ({
    portId,
    channelId,
    sequence: BigInt(text(key.subarray(prefix.length + 1))),
    data: value,
  }));
}

/** Sequences without a packet receipt. */
function unreceived(context: Context, request: PortChannel, sequences: readonly bigint[]): bigint[] {
  const { portId, channelId } = request;
  requirePortAndChannel(request);
  const channel = getChannel(context, request) ?? refuse(`port-id: ${portId}, channel-id ${channelId}: channel`);
  requireSequences(sequences);
  switch (channel.ordering) {
    case Order.UNORDERED:
      return sequences.filter((sequence) => valueOf(context, 'receipts', request, sequence) === undefined);
    case Order.ORDERED: {
      const value =
        context.store.get(STORE, nextSequenceRecvKey(request)) ??
        refuse(`destination port: ${portId}, destination channel: ${channelId}: sequence receive`);
      const next = readBe64(value);
      return sequences.filter((sequence) => sequence >= next);
    }
    case Order.NONE_UNSPECIFIED:
      throw grpcError(
        'InvalidArgument',
        `channel order ${orderName(channel.ordering)} is not supported: invalid channel ordering`,
      );
  }
}

export const packetQueries = [
  query(pb.Query, 'packetCommitment', (context, request) => {
    requirePacket(context, request);
    const commitment = valueOf(context, 'commitments', request, request.sequence) ?? refuse('packet commitment hash');
    return { commitment, proofHeight: selfHeight(context) };
  }),
  query(pb.Query, 'packetCommitments', (context, request) => {
    requireChannel(context, request);
    const { rows, page } = packetsOf(context, 'commitments', request, request.pagination);
    return { commitments: rows, pagination: page, height: selfHeight(context) };
  }),
  query(pb.Query, 'packetReceipt', (context, request) => {
    requirePacket(context, request);
    const received = valueOf(context, 'receipts', request, request.sequence) !== undefined;
    return { received, proofHeight: selfHeight(context) };
  }),
  query(pb.Query, 'packetAcknowledgement', (context, request) => {
    requirePacket(context, request);
    const acknowledgement =
      valueOf(context, 'acks', request, request.sequence) ?? refuse('packet acknowledgement hash');
    return { acknowledgement, proofHeight: selfHeight(context) };
  }),
  query(pb.Query, 'packetAcknowledgements', (context, request) => {
    requireChannel(context, request);
    const { portId, channelId, packetCommitmentSequences: sequences } = request;
    if (sequences.length > 0) {
      const acknowledgements = sequences.flatMap((sequence) => {
        const data = valueOf(context, 'acks', request, sequence);
        return data === undefined ? [] : [{ portId, channelId, sequence, data }];
      });
      return { acknowledgements, height: selfHeight(context) };
    }
    const { rows, page } = packetsOf(context, 'acks', request, request.pagination);
    return { acknowledgements: rows, pagination: page, height: selfHeight(context) };
  }),
  query(pb.Query, 'unreceivedPackets', (context, request) => ({
    sequences: unreceived(context, request, request.packetCommitmentSequences),
    height: selfHeight(context),
  })),
  query(pb.Query, 'unreceivedAcks', (context, request) => {
    requireChannel(context, request);
    const { packetAckSequences } = request;
    requireSequences(packetAckSequences);
    const sequences = packetAckSequences.filter(
      (sequence) => valueOf(context, 'commitments', request, sequence) !== undefined,
    );
    return { sequences, height: selfHeight(context) };
  }),
];
