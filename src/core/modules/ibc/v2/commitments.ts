/** Commitments to packets and answers of v2 (ibc-go v10 `modules/core/04-channel/v2/types/commitment.go`). */
import { be64 } from '../../../bytes/big-endian.js';
import { concat, utf8 } from '../../../bytes/bytes.js';
import type { Acknowledgement, Packet, Payload } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { Context } from '../../../sdk/module/context.js';

type Hashing = Pick<Context, 'crypto'>;

/** Begins what is hashed: the version of the protocol. */
const VERSION = Uint8Array.of(2);

/** The one answer to all packets that an application refused: sha256 of `UNIVERSAL_ERROR_ACKNOWLEDGEMENT`. */
export function errorAcknowledgement({ crypto }: Hashing): Uint8Array {
  return crypto.sha256(utf8('UNIVERSAL_ERROR_ACKNOWLEDGEMENT'));
}

/** The commitment to a packet that its sender keeps, 32 bytes: over a hash of each part, and no names of the sender. */
export function commitmentOf({ crypto }: Hashing, packet: Packet): Uint8Array {
  const { destinationClient, timeoutTimestamp, payloads } = packet;
  const parts = [
    utf8(destinationClient),
    be64(timeoutTimestamp),
    concat(...payloads.map((payload) => payloadHash({ crypto }, payload))),
  ];
  return crypto.sha256(concat(VERSION, ...parts.map((part) => crypto.sha256(part))));
}

function payloadHash({ crypto }: Hashing, payload: Payload): Uint8Array {
  const { sourcePort, destinationPort, version, encoding, value } = payload;
  const parts = [...[sourcePort, destinationPort, version, encoding].map(utf8), value];
  return crypto.sha256(concat(...parts.map((part) => crypto.sha256(part))));
}

/** The commitment to the answers of applications that the receiver of a packet keeps, 32 bytes. */
export function commitmentOfAnswer({ crypto }: Hashing, { appAcknowledgements }: Acknowledgement): Uint8Array {
  return crypto.sha256(concat(VERSION, ...appAcknowledgements.map((answer) => crypto.sha256(answer))));
}
