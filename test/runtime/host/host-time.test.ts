/** The clock of the blocks and the clock of the timers, when the clocks of the system step or stand still. */
import { expect, test } from 'vitest';
import { createHostClock, createTimerClock } from '../../../src/runtime/host/time.js';
import { Clocks } from '../../support/system-clocks.js';

const MS = 1_000_000n;

const HOUR = 3_600_000;

test('after a suspend, during which the monotonic clock stood still, block time follows the wall clock', () => {
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

test('block time follows a wall clock that is set back at once, and timers are not affected', () => {
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

test('a small difference between two readings does not count as a clock step', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const before = clock.now();
  clocks.wall += 900;
  expect(clock.now()).toBe(before);
  clocks.wall -= 1_800;
  expect(clock.now()).toBe(before);
});
