/** Keys of the ibc store (ibc-go v10 `modules/core/24-host`; v2 packets: `modules/core/24-host/v2`). */
import { be64 } from '../../bytes/big-endian.js';
import { concat, utf8 } from '../../bytes/bytes.js';
import type { RevisionHeight } from './self-height.js';

export interface PortChannel {
  readonly portId: string;
  readonly channelId: string;
}

const path = ({ portId, channelId }: PortChannel): string => `ports/${portId}/channels/${channelId}`;

/** Formats a height as `0-5` (revision, block), as in keys and texts. */
export function heightText({ revisionNumber, revisionHeight }: RevisionHeight): string {
  return `${revisionNumber}-${revisionHeight}`;
}

/** Formats a height as Go's `%d` prints the struct. */
export const goHeight = ({ revisionNumber, revisionHeight }: RevisionHeight): string =>
  `{${revisionNumber} ${revisionHeight}}`;

/** Key in a client's part of the store. */
export function clientKey(clientId: string, name: string): Uint8Array {
  return utf8(`clients/${clientId}/${name}`);
}

/** Key of a client state (ICS-24 `clients/{id}/clientState`). */
export const clientStateKey = (clientId: string): Uint8Array => clientKey(clientId, 'clientState');

/** Key of a client's consensus state at a height (ICS-24). */
export const consensusStateKey = (clientId: string, height: RevisionHeight): Uint8Array =>
  clientKey(clientId, `consensusStates/${heightText(height)}`);

/** Key of a client's list of connections. */
export const clientConnectionsKey = (clientId: string): Uint8Array => clientKey(clientId, 'connections');

/** Key of a connection (ICS-24 `connections/{id}`). */
export const connectionKey = (connectionId: string): Uint8Array => utf8(`connections/${connectionId}`);

/** Key of a channel (ICS-24 `channelEnds/ports/{port}/channels/{id}`). */
export const channelKey = (channel: PortChannel): Uint8Array => utf8(`channelEnds/${path(channel)}`);

/** Key of the next sequence to send on a channel. */
export const nextSequenceSendKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceSend/${path(channel)}`);

/** Key of the next sequence to receive on an ordered channel. */
export const nextSequenceRecvKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceRecv/${path(channel)}`);

/** Key of the next sequence to acknowledge on an ordered channel. */
export const nextSequenceAckKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceAck/${path(channel)}`);

/** Key of the first sequence that counts after a channel upgrade; chains of this build never have it. */
export const receiveStartKey = (channel: PortChannel): Uint8Array => utf8(`recvStartSequence/${path(channel)}`);

/** Prefix of a channel's sent, received or acknowledged packets; sequences follow. */
export function packetsPrefix(kind: 'commitments' | 'receipts' | 'acks', channel: PortChannel): Uint8Array {
  return utf8(`${kind}/${path(channel)}/sequences/`);
}

/** Key of a sent, received or acknowledged packet. */
export function packetKey(
  kind: 'commitments' | 'receipts' | 'acks',
  channel: PortChannel,
  sequence: bigint,
): Uint8Array {
  return utf8(`${kind}/${path(channel)}/sequences/${sequence}`);
}

const V2_KINDS = { commitments: 1, receipts: 2, acks: 3 } as const;

/** Prefix of a client's sent, received or acknowledged v2 packets; sequences follow. */
export function packetsPrefixV2(kind: keyof typeof V2_KINDS, clientId: string): Uint8Array {
  return concat(utf8(clientId), Uint8Array.of(V2_KINDS[kind]));
}

/** Key of a v2 packet. */
export function packetKeyV2(kind: keyof typeof V2_KINDS, clientId: string, sequence: bigint): Uint8Array {
  return concat(packetsPrefixV2(kind, clientId), be64(sequence));
}

/** Prefix of a client's v2 packets with pending asynchronous acknowledgements (`async_packets` in genesis). */
export const asyncPacketPrefix = (clientId: string): Uint8Array => utf8(`${clientId}async_packet`);

/** Key of a v2 packet with a pending asynchronous acknowledgement. */
export const asyncPacketKey = (clientId: string, sequence: bigint): Uint8Array =>
  concat(asyncPacketPrefix(clientId), be64(sequence));

/** Key of the next v2 sequence to send. */
export const nextSequenceSendKeyV2 = (clientId: string): Uint8Array => utf8(`nextSequenceSend/${clientId}`);
