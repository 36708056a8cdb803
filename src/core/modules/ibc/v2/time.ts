/** Times of IBC v2: timeouts are in seconds, block times in nanoseconds. */
import { NS_PER_SECOND } from '../../../primitives.js';

/** Seconds from year 1, where Go's time starts, to 1970. */
const UNIX_TO_INTERNAL = 62_135_596_800n;

/** Whole seconds of a time in nanoseconds. */
export function seconds(time: bigint): bigint {
  return time / NS_PER_SECOND;
}

/** True when a time in nanoseconds is before `limit` seconds, which Go's `time.Unix` interprets as signed. */
export function isBefore(time: bigint, limit: bigint): boolean {
  const internal = BigInt.asIntN(64, BigInt.asIntN(64, limit) + UNIX_TO_INTERNAL);
  return internal * NS_PER_SECOND > time + UNIX_TO_INTERNAL * NS_PER_SECOND;
}
