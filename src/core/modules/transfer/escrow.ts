import { concat, utf8 } from '../../bytes/bytes.js';
import type { PortChannel } from '../ibc/keys.js';

const VERSION = 'ics20-1';
const ADDRESS_BYTES = 20;

/**
 * Escrow account of a channel: an ADR 028 address from the protocol version, port and channel (ibc-go v10
 * `GetEscrowAddress` in `modules/apps/transfer/types/keys.go`).
 */
export function escrowAddress(
  sha256: (data: Uint8Array) => Uint8Array,
  { portId, channelId }: PortChannel,
): Uint8Array {
  return sha256(concat(utf8(VERSION), Uint8Array.of(0), utf8(`${portId}/${channelId}`))).subarray(0, ADDRESS_BYTES);
}
