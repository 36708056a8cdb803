/** Keys of the ibc store (ibc-go v10 `modules/core/24-host`; of packets of v2 `modules/core/24-host/v2`). */
import { be64 } from '../../bytes/big-endian.js';
import { concat, utf8 } from '../../bytes/bytes.js';
import type { RevisionHeight } from './self-height.js';

export interface PortChannel {
  readonly portId: string;
  readonly channelId: string;
}

const path = ({ portId, channelId }: PortChannel): string => `ports/${portId}/channels/${channelId}`;

/** `0-5`: revision and block of a height, as keys and texts have it. */
export function heightText({ revisionNumber, revisionHeight }: RevisionHeight): string {
  return `${revisionNumber}-${revisionHeight}`;
}

/** A height as Go's `%d` prints the structure. */
export const goHeight = ({ revisionNumber, revisionHeight }: RevisionHeight): string =>
  `{${revisionNumber} ${revisionHeight}}`;

/** A key in the part of the store that belongs to a client. */
export function clientKey(clientId: string, name: string): Uint8Array {
  return utf8(`clients/${clientId}/${name}`);
}

/** Key of the state of a client (ICS-24 `clients/{id}/clientState`). */
export const clientStateKey = (clientId: string): Uint8Array => clientKey(clientId, 'clientState');

/** Key of the consensus state that a client has of a height (ICS-24). */
export const consensusStateKey = (clientId: string, height: RevisionHeight): Uint8Array =>
  clientKey(clientId, `consensusStates/${heightText(height)}`);

/** Key of the list of connections that use a client. */
export const clientConnectionsKey = (clientId: string): Uint8Array => clientKey(clientId, 'connections');

/** Key of a connection (ICS-24 `connections/{id}`). */
export const connectionKey = (connectionId: string): Uint8Array => utf8(`connections/${connectionId}`);

/** Key of a channel (ICS-24 `channelEnds/ports/{port}/channels/{id}`). */
export const channelKey = (channel: PortChannel): Uint8Array => utf8(`channelEnds/${path(channel)}`);

/** Key of the number that the next packet of a channel gets. */
export const nextSequenceSendKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceSend/${path(channel)}`);

/** Key of the number of the packet that an ordered channel receives next. */
export const nextSequenceRecvKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceRecv/${path(channel)}`);

/** Key of the number of the packet that is acknowledged next on an ordered channel. */
export const nextSequenceAckKey = (channel: PortChannel): Uint8Array => utf8(`nextSequenceAck/${path(channel)}`);

/**
 * Key of the number of the first packet that counts on a channel whose rules changed; no chain of this build has it.
 */
export const receiveStartKey = (channel: PortChannel): Uint8Array => utf8(`recvStartSequence/${path(channel)}`);

/** The keys of all packets of a channel that were sent, received or acknowledged, before their numbers. */
export function packetsPrefix(kind: 'commitments' | 'receipts' | 'acks', channel: PortChannel): Uint8Array {
  return utf8(`${kind}/${path(channel)}/sequences/`);
}

/** Key of a packet that was sent, received or acknowledged. */
export function packetKey(
  kind: 'commitments' | 'receipts' | 'acks',
  channel: PortChannel,
  sequence: bigint,
): Uint8Array {
  return utf8(`${kind}/${path(channel)}/sequences/${sequence}`);
}

const V2_KINDS = { commitments: 1, receipts: 2, acks: 3 } as const;

/** The packets of v2 that a client sent, received or answered, before their numbers. */
export function packetsPrefixV2(kind: keyof typeof V2_KINDS, clientId: string): Uint8Array {
  return concat(utf8(clientId), Uint8Array.of(V2_KINDS[kind]));
}

/** Key of a packet of v2. */
export function packetKeyV2(kind: keyof typeof V2_KINDS, clientId: string, sequence: bigint): Uint8Array {
  return concat(packetsPrefixV2(kind, clientId), be64(sequence));
}

/** The packets of v2 that wait for their answer (`async_packets` of a genesis), before their numbers. */
export const latePrefix = (clientId: string): Uint8Array => utf8(`${clientId}async_packet`);

/** Key of a packet of v2 that waits for its answer. */
export const lateKey = (clientId: string, sequence: bigint): Uint8Array => concat(latePrefix(clientId), be64(sequence));

/** Key of the next sequence to send, of v2. */
export const nextSequenceSendKeyV2 = (clientId: string): Uint8Array => utf8(`nextSequenceSend/${clientId}`);
