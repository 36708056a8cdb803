/**
 * Later steps of channel handshakes, and closing of channels (ibc-go v10
 * `modules/core/04-channel/keeper/handshake.go`).
 */
import { create } from '@bufbuild/protobuf';
import { be64 } from '../../../bytes/big-endian.js';
import {
  type Channel,
  ChannelSchema,
  CounterpartySchema,
  State,
} from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type * as pb from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import { type ConnectionEnd, State as ConnectionState } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { getChannel, nextChannelId, portOf, requireOrder, setChannel } from './channels.js';
import { requireActive } from '../client/clients.js';
import { getConnection } from '../connection/connections.js';
import { verifyChannelState } from '../connection/counterparty.js';
import { channelErrors, connectionErrors } from '../errors.js';
import { nextSequenceAckKey, nextSequenceRecvKey, nextSequenceSendKey, type PortChannel } from '../keys.js';
import { connectionStateName, stateName } from '../names.js';
import type { Port } from './port.js';
import { heightOf } from '../self-height.js';
import { STORE } from '../store.js';

/** ChanOpenTry: accepts a channel that the other chain started; returns its id and version. */
export function tryChannel(
  context: Context,
  ports: readonly Port[],
  { portId, channel, counterpartyVersion, proofInit, proofHeight }: pb.MsgChannelOpenTry,
): { channelId: string; version: string } {
  const port = portOf(ports, portId);
  const { ordering = 0, connectionHops = [], counterparty } = channel ?? {};
  const [hop = ''] = connectionHops;
  const channelId = wrapping('channel handshake open try failed', () => {
    if (connectionHops.length !== 1)
      throw new SdkError(channelErrors.tooManyHops, `expected 1, got ${connectionHops.length}`);
    const id = nextChannelId(context);
    const connection = requireOpen(context, hop);
    requireOrder(connection, ordering);
    const expected = create(ChannelSchema, {
      state: State.INIT,
      ordering,
      counterparty: { portId },
      connectionHops: [otherHop(connection)],
      version: counterpartyVersion,
    });
    const names = { portId: counterparty?.portId ?? '', channelId: counterparty?.channelId ?? '' };
    verifyChannelState(context, connection, { proof: proofInit, height: heightOf(proofHeight) }, names, expected);
    return id;
  });
  const names = { portId, channelId };
  const version = wrapping(`channel open try callback failed for port ID: ${portId}, channel ID: ${channelId}`, () =>
    port.onChannelOpenTry(context, { ...names, ordering, version: counterpartyVersion }),
  );
  for (const key of [nextSequenceSendKey(names), nextSequenceRecvKey(names), nextSequenceAckKey(names)])
    context.store.set(STORE, key, be64(1n));
  const end = create(ChannelSchema, {
    state: State.TRYOPEN,
    ordering,
    connectionHops,
    version,
    ...(counterparty && { counterparty }),
  });
  setChannel(context, names, end);
  emitOf(context, 'channel_open_try', names, end, [['version', version]]);
  return { channelId, version };
}

/** ChanOpenAck: opens a channel that this chain started and the other one accepted. */
export function acknowledgeChannel(context: Context, ports: readonly Port[], message: pb.MsgChannelOpenAck): void {
  const { portId, channelId, counterpartyChannelId, counterpartyVersion, proofTry, proofHeight } = message;
  const port = portOf(ports, portId);
  const names = { portId, channelId };
  const end = wrapping('channel handshake open ack failed', () => {
    const found = requireChannel(context, names);
    if (found.state !== State.INIT)
      throw new SdkError(channelErrors.invalidState, `channel state should be INIT (got ${stateName(found.state)})`);
    const connection = requireOpen(context, connectionHopOf(found));
    const expected = create(ChannelSchema, {
      state: State.TRYOPEN,
      ordering: found.ordering,
      counterparty: names,
      connectionHops: [otherHop(connection)],
      version: counterpartyVersion,
    });
    const other = { portId: found.counterparty?.portId ?? '', channelId: counterpartyChannelId };
    verifyChannelState(context, connection, { proof: proofTry, height: heightOf(proofHeight) }, other, expected);
    return found;
  });
  // The peer reads the channel again before writing it.
  getChannel(context, names);
  const open = create(ChannelSchema, {
    ...end,
    state: State.OPEN,
    version: counterpartyVersion,
    counterparty: create(CounterpartySchema, {
      portId: end.counterparty?.portId ?? '',
      channelId: counterpartyChannelId,
    }),
  });
  setChannel(context, names, open);
  emitOf(context, 'channel_open_ack', names, open);
  wrapping(`channel open ack callback failed for port ID: ${portId}, channel ID: ${channelId}`, () =>
    port.onChannelOpenAck(context, names, counterpartyVersion),
  );
}

/** ChanOpenConfirm: opens a channel that the other chain started and opened. */
export function confirmChannel(context: Context, ports: readonly Port[], message: pb.MsgChannelOpenConfirm): void {
  const { portId, channelId, proofAck, proofHeight } = message;
  portOf(ports, portId);
  const names = { portId, channelId };
  const end = wrapping('channel handshake open confirm failed', () => {
    const found = requireChannel(context, names);
    if (found.state !== State.TRYOPEN)
      throw new SdkError(channelErrors.invalidState, `channel state is not TRYOPEN (got ${stateName(found.state)})`);
    verifyOther(context, names, found, State.OPEN, { proof: proofAck, height: heightOf(proofHeight) });
    return found;
  });
  getChannel(context, names);
  const open = create(ChannelSchema, { ...end, state: State.OPEN });
  setChannel(context, names, open);
  emitOf(context, 'channel_open_confirm', names, open);
}

/** ChanCloseInit: closes a channel; its application must agree. */
export function closeChannel(context: Context, ports: readonly Port[], message: pb.MsgChannelCloseInit): void {
  const { portId, channelId } = message;
  const port = portOf(ports, portId);
  const names = { portId, channelId };
  wrapping(`channel close init callback failed for port ID: ${portId}, channel ID: ${channelId}`, () =>
    port.onChannelCloseInit(context, names),
  );
  wrapping('channel handshake close init failed', () => {
    const end = requireUnclosed(context, names);
    const connection = getConnection(context, connectionHopOf(end));
    if (connection === undefined) throw new SdkError(connectionErrors.notFound, connectionHopOf(end));
    const { clientId } = connection;
    requireActive(context, clientId, (status) => `client (${clientId}) status is ${status}`);
    requireOpenState(connection);
    close(context, 'channel_close_init', names, end);
  });
}

/** ChanCloseConfirm: closes a channel that the other chain closed. */
export function confirmClose(context: Context, ports: readonly Port[], message: pb.MsgChannelCloseConfirm): void {
  const { portId, channelId, proofInit, proofHeight } = message;
  portOf(ports, portId);
  const names = { portId, channelId };
  wrapping('channel handshake close confirm failed', () => {
    const end = requireUnclosed(context, names);
    verifyOther(context, names, end, State.CLOSED, { proof: proofInit, height: heightOf(proofHeight) });
    close(context, 'channel_close_confirm', names, end);
  });
}

function close(context: Context, type: string, names: PortChannel, end: Channel): void {
  const closed = create(ChannelSchema, { ...end, state: State.CLOSED });
  setChannel(context, names, closed);
  emitOf(context, type, names, closed);
}

function requireUnclosed(context: Context, names: PortChannel): Channel {
  const end = requireChannel(context, names);
  if (end.state === State.CLOSED) throw new SdkError(channelErrors.invalidState, 'channel is already CLOSED');
  return end;
}

/** Verifies a proof of the counterparty channel in a state. */
function verifyOther(
  context: Context,
  names: PortChannel,
  end: Channel,
  state: State,
  proof: Parameters<typeof verifyChannelState>[2],
): void {
  const connection = requireOpen(context, connectionHopOf(end));
  verifyChannelState(
    context,
    connection,
    proof,
    counterpartyNames(end),
    counterpartyChannel(names, end, connection, state),
  );
}

/** Counterparty channel in a state, as the other chain stores it. */
export function counterpartyChannel(
  names: PortChannel,
  end: Channel,
  connection: ConnectionEnd,
  state: State,
): Channel {
  return create(ChannelSchema, {
    state,
    ordering: end.ordering,
    counterparty: { portId: names.portId, channelId: names.channelId },
    connectionHops: [otherHop(connection)],
    version: end.version,
  });
}

/** Port and channel id of the counterparty. */
export function counterpartyNames({ counterparty }: Channel): PortChannel {
  return { portId: counterparty?.portId ?? '', channelId: counterparty?.channelId ?? '' };
}

/** Connection id of a channel. */
export function connectionHopOf({ connectionHops }: Channel): string {
  return connectionHops[0] ?? '';
}

const otherHop = ({ counterparty }: ConnectionEnd): string => counterparty?.connectionId ?? '';

/** Reads a channel; throws the handshake's error when there is none. */
export function requireChannel(context: Context, names: PortChannel): Channel {
  const end = getChannel(context, names);
  if (end === undefined)
    throw new SdkError(channelErrors.notFound, `port ID (${names.portId}) channel ID (${names.channelId})`);
  return end;
}

function requireOpenState({ state }: ConnectionEnd): void {
  if (state !== ConnectionState.OPEN)
    throw new SdkError(
      connectionErrors.invalidState,
      `connection state is not OPEN (got ${connectionStateName(state)})`,
    );
}

/** Reads a connection; throws unless it is open. */
export function requireOpen(context: Context, id: string): ConnectionEnd {
  const connection = getConnection(context, id);
  if (connection === undefined) throw new SdkError(connectionErrors.notFound, id);
  requireOpenState(connection);
  return connection;
}

function emitOf(
  context: Context,
  type: string,
  { portId, channelId }: PortChannel,
  end: Channel,
  more: readonly (readonly [string, string])[] = [],
): void {
  emit(context, type, () => [
    ['port_id', portId],
    ['channel_id', channelId],
    ['counterparty_port_id', end.counterparty?.portId ?? ''],
    ['counterparty_channel_id', end.counterparty?.channelId ?? ''],
    ['connection_id', connectionHopOf(end)],
    ...more,
  ]);
  emit(context, 'message', () => [['module', 'ibc_channel']]);
}
