/** Packet events, which relayers read (ibc-go v10 `modules/core/04-channel/keeper/events.go`). */
import { hex } from '../../../bytes/hex.js';
import type { Channel, Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { heightText } from '../keys.js';
import { orderName } from '../names.js';
import { heightOf } from '../self-height.js';

type PacketEvent = 'send_packet' | 'recv_packet' | 'write_acknowledgement' | 'acknowledge_packet' | 'timeout_packet';

const moduleEvent = (context: Context): void => emit(context, 'message', () => [['module', 'ibc_channel']]);

/**
 * Emits a packet event and the module's message event. Data is included except after an acknowledgement was relayed.
 */
export function emitPacket(
  context: Context,
  type: PacketEvent,
  packet: Packet,
  { ordering, connectionHops }: Channel,
  acknowledgement?: Uint8Array,
): void {
  const hasData = type !== 'acknowledge_packet' && type !== 'timeout_packet';
  emit(context, type, () => {
    const [order, connection] = [orderName(ordering), connectionHops[0] ?? ''];
    return [
      ...(hasData ? [['packet_data_hex', hex(packet.data)] as const] : []),
      ['packet_timeout_height', heightText(heightOf(packet.timeoutHeight))],
      ['packet_timeout_timestamp', packet.timeoutTimestamp.toString()],
      ['packet_sequence', packet.sequence.toString()],
      ['packet_src_port', packet.sourcePort],
      ['packet_src_channel', packet.sourceChannel],
      ['packet_dst_port', packet.destinationPort],
      ['packet_dst_channel', packet.destinationChannel],
      ...(acknowledgement === undefined ? [] : [['packet_ack_hex', hex(acknowledgement)] as const]),
      ...(type === 'timeout_packet'
        ? ([
            ['connection_id', connection],
            ['packet_channel_ordering', order],
          ] as const)
        : ([
            ['packet_channel_ordering', order],
            ['packet_connection', connection],
            ['connection_id', connection],
          ] as const)),
    ];
  });
  moduleEvent(context);
}

/** Emits that a packet timeout closed its channel. */
export function emitClosed(
  context: Context,
  { sourcePort, sourceChannel }: Packet,
  { counterparty, connectionHops, ordering }: Channel,
): void {
  emit(context, 'channel_close', () => [
    ['port_id', sourcePort],
    ['channel_id', sourceChannel],
    ['counterparty_port_id', counterparty?.portId ?? ''],
    ['counterparty_channel_id', counterparty?.channelId ?? ''],
    ['connection_id', connectionHops[0] ?? ''],
    ['packet_channel_ordering', orderName(ordering)],
  ]);
  moduleEvent(context);
}
