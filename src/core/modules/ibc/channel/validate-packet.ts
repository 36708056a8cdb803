import type { Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { channelErrors } from '../errors.js';
import { validateIdentifier } from '../identifiers.js';
import { heightOf, isZeroHeight } from '../self-height.js';

/** Maximum bytes of packet data (ibc-go v10 `MaximumPayloadsSize`). */
export const MAX_DATA = 262_144;

/** Validates a packet: `Packet.ValidateBasic` of ibc-go v10 `modules/core/04-channel/types/packet.go`. */
export function validatePacket(packet: Packet): void {
  validateIdentifier('port', packet.sourcePort, 'invalid source port ID');
  validateIdentifier('port', packet.destinationPort, 'invalid destination port ID');
  validateIdentifier('channel', packet.sourceChannel, 'invalid source channel ID');
  validateIdentifier('channel', packet.destinationChannel, 'invalid destination channel ID');
  const refuse = (reason: string): SdkError => new SdkError(channelErrors.invalidPacket, reason);
  if (packet.sequence === 0n) throw refuse('packet sequence cannot be 0');
  if (isZeroHeight(heightOf(packet.timeoutHeight)) && packet.timeoutTimestamp === 0n)
    throw refuse('packet timeout height and packet timeout timestamp cannot both be 0');
  const { length } = packet.data;
  if (length === 0) throw refuse('packet data bytes cannot be empty');
  if (length > MAX_DATA) throw refuse(`packet data bytes cannot exceed ${MAX_DATA} bytes`);
}
