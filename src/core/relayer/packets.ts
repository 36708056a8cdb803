/** Reads packets from events, and builds messages that relay packets, acknowledgements and timeouts (ICS-4). */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { equal } from '../bytes/bytes.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { packetKey } from '../modules/ibc/keys.js';
import { commitmentOf, destinationOf, sourceOf } from '../modules/ibc/channel/packets.js';
import type { RevisionHeight } from '../modules/ibc/self-height.js';
import { hasElapsed } from '../modules/ibc/channel/timeout.js';
import type { Crypto } from '../ports/crypto.js';
import { type Packet, PacketSchema } from '../proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../proto/ibc/core/channel/v1/tx_pb.js';
import { messageOf, type RelayedProof } from './handshake.js';

/** Event in a result of CometBFT's RPC. */
export interface TextEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

/** Packet of an event, with its acknowledgement if the event has one. */
export interface PacketInEvent {
  readonly packet: Packet;
  readonly acknowledgement: Uint8Array;
}

/** Next message that a packet needs: `receive` on its destination, the others on its source. */
export type PacketNeed =
  | { readonly kind: 'receive' | 'timeout'; readonly packet: Packet }
  | { readonly kind: 'acknowledge'; readonly packet: Packet; readonly acknowledgement: Uint8Array };

/** Reads the packet of an ibc-go event; undefined for other event types or incomplete attributes. */
export function packetOfEvent(
  { type, attributes }: TextEvent,
  wanted: 'send_packet' | 'write_acknowledgement',
): PacketInEvent | undefined {
  const at = (key: string): string => attributes.find((each) => each.key === key)?.value ?? '';
  const height = /^([0-9]{1,20})-([0-9]{1,20})$/.exec(at('packet_timeout_height'));
  const [sequence, timeout] = [at('packet_sequence'), at('packet_timeout_timestamp')];
  const [data, answer] = [at('packet_data_hex'), at('packet_ack_hex')].map(bytesOfDigits);
  if (type !== wanted || height === null || data === undefined || answer === undefined) return undefined;
  if (![sequence, timeout].every((number) => /^[0-9]{1,20}$/.test(number))) return undefined;
  const packet = create(PacketSchema, {
    sequence: BigInt(sequence),
    sourcePort: at('packet_src_port'),
    sourceChannel: at('packet_src_channel'),
    destinationPort: at('packet_dst_port'),
    destinationChannel: at('packet_dst_channel'),
    data,
    timeoutHeight: { revisionNumber: BigInt(height[1] ?? ''), revisionHeight: BigInt(height[2] ?? '') },
    timeoutTimestamp: BigInt(timeout),
  });
  return { packet, acknowledgement: answer };
}

/**
 * Next message for a packet that was not received: receive or timeout. `height`: the destination's next block, the
 * earliest that could receive it; `now`: its time in nanoseconds.
 */
export function needOfUnreceived(packet: Packet, height: RevisionHeight, now: bigint): PacketNeed {
  return { kind: hasElapsed(packet, height, now) ? 'timeout' : 'receive', packet };
}

/**
 * True when the chain's commitment is that of this packet. After a revert another packet may have its sequence, which
 * the other chain never receives because it keeps the first packet's receipt.
 */
export const isCommitted = (crypto: Pick<Crypto, 'sha256'>, packet: Packet, commitment: Uint8Array): boolean =>
  equal(commitmentOf({ crypto }, packet), commitment);

/** State key that a packet message proves: present, or absent for a timeout. */
export function keyOfNeed({ kind, packet }: PacketNeed): Uint8Array {
  switch (kind) {
    case 'receive':
      return packetKey('commitments', sourceOf(packet), packet.sequence);
    case 'acknowledge':
      return packetKey('acks', destinationOf(packet), packet.sequence);
    case 'timeout':
      return packetKey('receipts', destinationOf(packet), packet.sequence);
  }
}

/** Builds the message with the proof of its key. The channel must be unordered. */
export function messageOfNeed(need: PacketNeed, { proof, proofHeight }: RelayedProof, signer: string): Any {
  const { packet } = need;
  switch (need.kind) {
    case 'receive':
      return messageOf(channel.MsgRecvPacketSchema, { packet, proofCommitment: proof, proofHeight, signer });
    case 'acknowledge':
      return messageOf(channel.MsgAcknowledgementSchema, {
        packet,
        acknowledgement: need.acknowledgement,
        proofAcked: proof,
        proofHeight,
        signer,
      });
    case 'timeout':
      return messageOf(channel.MsgTimeoutSchema, {
        packet,
        proofUnreceived: proof,
        proofHeight,
        nextSequenceRecv: packet.sequence,
        signer,
      });
  }
}
