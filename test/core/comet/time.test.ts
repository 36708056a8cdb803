import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, parseTime, sortableTime } from '../../../src/core/comet/time.js';
import { text } from '../../../src/core/bytes/bytes.js';
import { toTimeNs } from '../../../src/core/primitives.js';

/** Random times from year 1 to 9999, many of them in the same second. */
const times = fc.array(
  fc
    .tuple(
      fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(-62_135_596_800n, 253_402_300_799n)),
      fc.oneof(fc.constant(0n), fc.bigInt(0n, 999_999_999n)),
    )
    .map(([seconds, nanos]) => toTimeNs(seconds * 1_000_000_000n + nanos)),
  { minLength: 1, maxLength: 20 },
);

test('time formatting is correct whatever times were formatted before (its cache holds the last second)', () => {
  fc.assert(
    fc.property(times, (sequence) => {
      for (const time of sequence) {
        const seconds = (time - (((time % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n;
        const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
        expect(formatTime(time).startsWith(date)).toBe(true);
        expect(parseTime(formatTime(time))).toBe(time);
        const nanos = String(time - seconds * 1_000_000_000n).padStart(9, '0');
        expect(text(sortableTime(time))).toBe(`${date}.${nanos}`);
      }
    }),
  );
});
