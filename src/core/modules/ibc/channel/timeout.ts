/** Timeouts of packets: a height or a time of the chain that is to receive them (ibc-go v10 `types/timeout.go`). */
import type { Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { channelErrors } from '../errors.js';
import { heightText } from '../keys.js';
import { compareHeights, heightOf, isZeroHeight, type RevisionHeight } from '../self-height.js';

type Timeout = Pick<Packet, 'timeoutHeight' | 'timeoutTimestamp'>;

function isHeightElapsed({ timeoutHeight }: Timeout, height: RevisionHeight): boolean {
  const limit = heightOf(timeoutHeight);
  return !isZeroHeight(limit) && compareHeights(height, limit) >= 0;
}

/** True for a packet that a chain at this height and time (nanoseconds) does not receive any more. */
export function hasElapsed(packet: Timeout, height: RevisionHeight, now: bigint): boolean {
  const { timeoutTimestamp } = packet;
  return isHeightElapsed(packet, height) || (timeoutTimestamp !== 0n && now >= timeoutTimestamp);
}

const heights = (height: RevisionHeight, { timeoutHeight }: Timeout): string =>
  `current height: ${heightText(height)}, timeout height ${heightText(heightOf(timeoutHeight))}`;
const times = (now: bigint, { timeoutTimestamp }: Timeout): string =>
  `current timestamp: ${now}, timeout timestamp ${timeoutTimestamp}`;

/** The refusal of a packet whose time is over; `text` precedes the reason. */
export function refuseElapsed(packet: Timeout, height: RevisionHeight, now: bigint, text: string): SdkError {
  const reason = isHeightElapsed(packet, height) ? heights(height, packet) : times(now, packet);
  return new SdkError(channelErrors.timeoutElapsed, `${text}: ${reason}`);
}

/** The refusal of a timeout before its time. */
export function refuseEarly(packet: Timeout, height: RevisionHeight, now: bigint): SdkError {
  const isByHeight = !isZeroHeight(heightOf(packet.timeoutHeight)) && !isHeightElapsed(packet, height);
  const reason = isByHeight ? heights(height, packet) : times(now, packet);
  return new SdkError(channelErrors.timeoutNotReached, `packet timeout not reached: ${reason}`);
}
