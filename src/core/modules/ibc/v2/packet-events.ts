/** Events of v2 packets, which relayers read (ibc-go v10 `modules/core/04-channel/v2/keeper/events.go`). */
import { toBinary } from '@bufbuild/protobuf';
import { hex } from '../../../bytes/hex.js';
import {
  type Acknowledgement,
  AcknowledgementSchema,
  type Packet,
  PacketSchema,
} from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';

type PacketEvent = 'send_packet' | 'recv_packet' | 'write_acknowledgement' | 'acknowledge_packet' | 'timeout_packet';

/** Emits a packet event with the encoded packet, and the module's message event. */
export function emitPacket(context: Context, type: PacketEvent, packet: Packet, answers?: Acknowledgement): void {
  emit(context, type, () => [
    ['packet_source_client', packet.sourceClient],
    ['packet_dest_client', packet.destinationClient],
    ['packet_sequence', packet.sequence.toString()],
    ['packet_timeout_timestamp', packet.timeoutTimestamp.toString()],
    ['encoded_packet_hex', hex(toBinary(PacketSchema, packet))],
    ...(answers === undefined
      ? []
      : [['encoded_acknowledgement_hex', hex(toBinary(AcknowledgementSchema, answers))] as const]),
  ]);
  emit(context, 'message', () => [['module', 'ibc_channelv2']]);
}
