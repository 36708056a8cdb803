/** The clock of the blocks and the clock of the timers, when the clocks of the system step or stand still. */
import { expect, test } from 'vitest';
import { createHostClock, createTimerClock } from '../../../src/runtime/host/time.js';
import { Clocks } from '../../support/system-clocks.js';

const MS = 1_000_000n;

const HOUR = 3_600_000;

test('after a suspend, in which the monotonic clock stood still, blocks have the time of the wall clock', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const timers = createTimerClock(clocks);
  clocks.pass(10);
  clocks.wall += HOUR;
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
  expect(timers.now()).toBe(BigInt(clocks.wall - HOUR) * MS);
  clocks.pass(7);
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
});

test('a wall clock that is set back is followed at once; timers do not notice', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const timers = createTimerClock(clocks);
  const before = timers.now();
  clocks.wall -= HOUR;
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
  clocks.pass(250);
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
  expect(timers.now()).toBe(before + 250n * MS);
  clocks.wall += HOUR + 5_000;
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
});

test('two readings that differ a little are no step', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const before = clock.now();
  clocks.wall += 900;
  expect(clock.now()).toBe(before);
  clocks.wall -= 1_800;
  expect(clock.now()).toBe(before);
});
