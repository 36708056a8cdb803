/** Channel queries (ibc-go v10 `modules/core/04-channel/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../../bytes/big-endian.js';
import { type Channel, ChannelSchema, Order } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import * as pb from '../../../proto/ibc/core/channel/v1/query_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { query } from '../../../sdk/module/module.js';
import { paginate } from '../../../sdk/module/pagination.js';
import { grpcError } from '../../../sdk/module/sdk-error.js';
import { getChannel, identifiedChannel } from './channels.js';
import { consensusStateAny, clientStateAny } from '../client/clients.js';
import { getConnection } from '../connection/connections.js';
import { requireIdentifier, requirePortAndChannel } from '../identifiers.js';
import { nextSequenceRecvKey, nextSequenceSendKey, type PortChannel } from '../keys.js';
import { selfHeight } from '../self-height.js';
import { CHANNELS, pagesOf, STORE } from '../store.js';

function refuse(what: string): never {
  throw grpcError('NotFound', `${what} not found`);
}

/** Requires the channel of a request. */
function requireChannel(context: Context, request: PortChannel, comma = ''): Channel {
  requirePortAndChannel(request);
  const { portId, channelId } = request;
  return getChannel(context, request) ?? refuse(`port-id: ${portId}, channel-id${comma} ${channelId}: channel`);
}

/** Next sequence to receive on an ordered channel. */
function nextSequenceReceive({ store }: Context, request: PortChannel): bigint {
  const { portId, channelId } = request;
  const value =
    store.get(STORE, nextSequenceRecvKey(request)) ??
    refuse(`port-id: ${portId}, channel-id ${channelId}: sequence receive`);
  return readBe64(value);
}

export const channelQueries = [
  query(pb.Query, 'channel', (context, request) => ({
    channel: requireChannel(context, request),
    proofHeight: selfHeight(context),
  })),
  query(pb.Query, 'channels', (context, { pagination }) => {
    const { rows, page } = paginate(
      { context, store: STORE, prefix: pagesOf(CHANNELS) },
      pagination,
      ({ key, value }) => identifiedChannel(key, fromBinary(ChannelSchema, value)),
    );
    return { channels: rows, pagination: page, height: selfHeight(context) };
  }),
  query(pb.Query, 'connectionChannels', (context, { connection, pagination }) => {
    requireIdentifier('connection', connection);
    const { rows, page } = paginate(
      { context, store: STORE, prefix: pagesOf(CHANNELS) },
      pagination,
      ({ key, value }) => {
        const channel = fromBinary(ChannelSchema, value);
        return channel.connectionHops[0] === connection ? identifiedChannel(key, channel) : undefined;
      },
    );
    return { channels: rows, pagination: page, height: selfHeight(context) };
  }),
  query(pb.Query, 'channelClientState', (context, request) => {
    const { connectionHops } = requireChannel(context, request, ':');
    const [hop = ''] = connectionHops;
    const { clientId } = getConnection(context, hop) ?? refuse(`connection-id: ${hop}: connection`);
    const clientState = clientStateAny(context, clientId) ?? refuse(`client-id: ${clientId}: light client`);
    return {
      identifiedClientState: { clientId, clientState },
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'channelConsensusState', (context, request) => {
    const { connectionHops } = requireChannel(context, request);
    const [hop = ''] = connectionHops;
    const { clientId } = getConnection(context, hop) ?? refuse(`connection-id: ${hop}: connection`);
    const consensusState =
      consensusStateAny(context, clientId, request) ?? refuse(`client-id: ${clientId}: consensus state`);
    return {
      clientId,
      consensusState,
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'nextSequenceReceive', (context, request) => {
    const { ordering } = requireChannel(context, request);
    // Unordered channels have no next sequence.
    const next = ordering === Order.UNORDERED ? 0n : nextSequenceReceive(context, request);
    return {
      nextSequenceReceive: next,
      proofHeight: selfHeight(context),
    };
  }),
  query(pb.Query, 'nextSequenceSend', (context, request) => {
    requirePortAndChannel(request);
    const value =
      context.store.get(STORE, nextSequenceSendKey(request)) ??
      refuse(`port-id: ${request.portId}, channel-id ${request.channelId}: sequence send`);
    return {
      nextSequenceSend: readBe64(value),
      proofHeight: selfHeight(context),
    };
  }),
];
