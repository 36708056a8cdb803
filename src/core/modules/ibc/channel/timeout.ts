/** Packet timeouts: a height or time of the destination chain (ibc-go v10 `types/timeout.go`). */
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

/** True when a chain at this height and time (nanoseconds) no longer accepts the packet. */
export function hasElapsed(packet: Timeout, height: RevisionHeight, now: bigint): boolean {
  const { timeoutTimestamp } = packet;
  return isHeightElapsed(packet, height) || (timeoutTimestamp !== 0n && now >= timeoutTimestamp);
}

const heights = (height: RevisionHeight, { timeoutHeight }: Timeout): string =>
  `current height: ${heightText(height)}, timeout height ${heightText(heightOf(timeoutHeight))}`;
const times = (now: bigint, { timeoutTimestamp }: Timeout): string =>
  `current timestamp: ${now}, timeout timestamp ${timeoutTimestamp}`;

/** Error for an elapsed timeout; `text` is the prefix. */
export function timeoutElapsedError(packet: Timeout, height: RevisionHeight, now: bigint, text: string): SdkError {
  const reason = isHeightElapsed(packet, height) ? heights(height, packet) : times(now, packet);
  return new SdkError(channelErrors.timeoutElapsed, `${text}: ${reason}`);
}

/** Error for a timeout that has not elapsed. */
export function timeoutNotReachedError(packet: Timeout, height: RevisionHeight, now: bigint): SdkError {
  const isByHeight = !isZeroHeight(heightOf(packet.timeoutHeight)) && !isHeightElapsed(packet, height);
  const reason = isByHeight ? heights(height, packet) : times(now, packet);
  return new SdkError(channelErrors.timeoutNotReached, `packet timeout not reached: ${reason}`);
}
