/** Channels in the state (ibc-go v10 `modules/core/04-channel/keeper` and `modules/core/keeper/msg_server.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import { text } from '../../../bytes/bytes.js';
import { type Channel, ChannelSchema, Order, State } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type { MsgChannelOpenInit } from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import type { ConnectionEnd } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import { complete } from '../../../sdk/codec/complete-message.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { requireActive } from '../client/clients.js';
import { getConnection, versionText } from '../connection/connections.js';
import { connectionErrors, portErrors } from '../errors.js';
import { channelKey, nextSequenceAckKey, nextSequenceRecvKey, nextSequenceSendKey, type PortChannel } from '../keys.js';
import { orderName } from '../names.js';
import type { Port } from './port.js';
import { NEXT_CHANNEL, STORE } from '../store.js';

/** Reads a channel by port and id; undefined when there is none. */
export function getChannel({ store }: Context, channel: PortChannel): Channel | undefined {
  const value = store.get(STORE, channelKey(channel));
  return value === undefined ? undefined : fromBinary(ChannelSchema, value);
}

/** A channel with port and channel id, as in lists of channels. */
export function identifiedChannel(
  key: Uint8Array,
  { state, ordering, counterparty, connectionHops, version }: Channel,
) {
  const [, , portId = '', , channelId = ''] = text(key).split('/');
  return { state, ordering, connectionHops, version, portId, channelId, ...(counterparty && { counterparty }) };
}

/** Application bound to a port: an exact match, otherwise one whose name the port id contains. */
export function portOf(ports: readonly Port[], id: string): Port {
  const found = ports.find(({ name }) => name === id) ?? ports.find(({ name }) => id.includes(name));
  if (found === undefined) throw new SdkError(portErrors.noRoute, `route not found to portID: ${id}`);
  return found;
}

/** Takes the next channel id. */
export function nextChannelId({ store }: Context): string {
  const sequence = readBe64(store.get(STORE, NEXT_CHANNEL) ?? be64(0n));
  store.set(STORE, NEXT_CHANNEL, be64(sequence + 1n));
  return `channel-${sequence}`;
}

/** Stores a channel. */
export function setChannel({ store }: Context, names: PortChannel, channel: Channel): void {
  store.set(STORE, channelKey(names), toBinary(ChannelSchema, complete(ChannelSchema, channel)));
}

/** Requires a packet order that the connection's version supports. */
export function requireOrder({ versions }: ConnectionEnd, ordering: Order): void {
  const [version] = versions;
  if (version === undefined || versions.length !== 1)
    throw new SdkError(
      connectionErrors.invalidVersion,
      `single version must be negotiated on connection before opening channel, got: [${versions.map(versionText).join(' ')}]`,
    );
  const order = orderName(ordering);
  if (!version.features.includes(order))
    throw new SdkError(
      connectionErrors.invalidVersion,
      `connection version ${versionText(version)} does not support channel ordering: ${order}`,
    );
}

/** Starts the handshake of a channel; returns its id and version. */
export function openChannel(
  context: Context,
  ports: readonly Port[],
  { portId, channel }: MsgChannelOpenInit,
): { channelId: string; version: string } {
  const port = portOf(ports, portId);
  const { ordering = Order.NONE_UNSPECIFIED, connectionHops = [], counterparty, version: wanted = '' } = channel ?? {};
  const [hop = ''] = connectionHops;
  const channelId = wrapping('channel handshake open init failed', () => {
    const connection = getConnection(context, hop);
    if (connection === undefined) throw new SdkError(connectionErrors.notFound, hop);
    requireOrder(connection, ordering);
    const { clientId } = connection;
    requireActive(context, clientId, (status) => `client (${clientId}) status is ${status}`);
    return nextChannelId(context);
  });
  const names = { portId, channelId };
  const agreed = wrapping(`channel open init callback failed for port ID: ${portId}, channel ID: ${channelId}`, () =>
    port.onChannelOpenInit(context, { ...names, ordering, version: wanted }),
  );
  const end = create(ChannelSchema, {
    state: State.INIT,
    ordering,
    connectionHops,
    version: agreed,
    ...(counterparty && { counterparty }),
  });
  setChannel(context, names, end);
  for (const key of [nextSequenceSendKey(names), nextSequenceRecvKey(names), nextSequenceAckKey(names)])
    context.store.set(STORE, key, be64(1n));
  emit(context, 'channel_open_init', () => [
    ['port_id', portId],
    ['channel_id', channelId],
    ['counterparty_port_id', counterparty?.portId ?? ''],
    ['connection_id', hop],
    ['version', agreed],
  ]);
  emit(context, 'message', () => [['module', 'ibc_channel']]);
  return { channelId, version: agreed };
}
