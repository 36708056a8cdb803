/** Commitments to v2 packets and acknowledgements (ibc-go v10 `modules/core/04-channel/v2/types/commitment.go`). */
import { be64 } from '../../../bytes/big-endian.js';
import { concatAll, utf8 } from '../../../bytes/bytes.js';
import type { Acknowledgement, Packet, Payload } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { Context } from '../../../sdk/module/context.js';

type Hashing = Pick<Context, 'crypto'>;

/** First hashed byte: the protocol version. */
const VERSION = Uint8Array.of(2);

/** Universal error acknowledgement: sha256 of `UNIVERSAL_ERROR_ACKNOWLEDGEMENT`. */
export function errorAcknowledgement({ crypto }: Hashing): Uint8Array {
  return crypto.sha256(utf8('UNIVERSAL_ERROR_ACKNOWLEDGEMENT'));
}

/** Packet commitment that the sender stores, 32 bytes: over the hash of each part, without the source client. */
export function commitmentOf({ crypto }: Hashing, packet: Packet): Uint8Array {
  const { destinationClient, timeoutTimestamp, payloads } = packet;
  const parts = [
    utf8(destinationClient),
    be64(timeoutTimestamp),
    concatAll(payloads.map((payload) => payloadHash({ crypto }, payload))),
  ];
  return crypto.sha256(concatAll([VERSION, ...parts.map((part) => crypto.sha256(part))]));
}

function payloadHash({ crypto }: Hashing, payload: Payload): Uint8Array {
  const { sourcePort, destinationPort, version, encoding, value } = payload;
  const parts = [...[sourcePort, destinationPort, version, encoding].map(utf8), value];
  return crypto.sha256(concatAll(parts.map((part) => crypto.sha256(part))));
}

/** Acknowledgement commitment that the receiver stores, 32 bytes. */
export function commitmentOfAnswer({ crypto }: Hashing, { appAcknowledgements }: Acknowledgement): Uint8Array {
  return crypto.sha256(concatAll([VERSION, ...appAcknowledgements.map((answer) => crypto.sha256(answer))]));
}
