/** Times of IBC v2: its timeouts are in seconds, times of blocks in nanoseconds. */
import { NS_PER_SECOND } from '../../../primitives.js';

/** Seconds from the year 1 to 1970, from which Go counts. */
const UNIX_TO_INTERNAL = 62_135_596_800n;

/** The whole seconds of a time in nanoseconds. */
export function seconds(time: bigint): bigint {
  return time / NS_PER_SECOND;
}

/** True where a time in nanoseconds is before a number of seconds, which Go's `time.Unix` takes as a signed one. */
export function isBefore(time: bigint, limit: bigint): boolean {
  const internal = BigInt.asIntN(64, BigInt.asIntN(64, limit) + UNIX_TO_INTERNAL);
  return internal * NS_PER_SECOND > time + UNIX_TO_INTERNAL * NS_PER_SECOND;
}
