/** Timeouts of v2 are in seconds, and times of blocks in nanoseconds. */
const SECOND = 1_000_000_000n;

/** Seconds from the year 1 to 1970, from which Go counts. */
const UNIX_TO_INTERNAL = 62_135_596_800n;

/** The whole seconds of a time in nanoseconds. */
export function seconds(time: bigint): bigint {
  return time / SECOND;
}

/** True where a time in nanoseconds is before a number of seconds, which Go's `time.Unix` takes as a signed one. */
export function isBefore(time: bigint, limit: bigint): boolean {
  const internal = BigInt.asIntN(64, BigInt.asIntN(64, limit) + UNIX_TO_INTERNAL);
  return internal * SECOND > time + UNIX_TO_INTERNAL * SECOND;
}
