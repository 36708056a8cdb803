/** The clock of the blocks and the clock of the timers, when the clocks of the system step or stand still. */
import { expect, test } from 'vitest';
import { createHostClock, createTimerClock, type SystemClocks } from '../../../src/runtime/host/time.js';

const MS = 1_000_000n;

/** Clocks of a system that a test sets. */
class Clocks implements SystemClocks {
  wall = 1_700_000_000_000;
  monotonic = 5_000n * MS;
  readonly wallMs = (): number => this.wall;
  readonly monotonicNs = (): bigint => this.monotonic;

  /** Milliseconds pass on both. */
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.monotonic += BigInt(milliseconds) * MS;
  }
}

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

test('a wall clock that is set back does not turn back the time of blocks, which passes evenly until it is caught up', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const before = clock.now();
  clocks.wall -= HOUR;
  expect(clock.now()).toBe(before);
  clocks.pass(250);
  expect(clock.now()).toBe(before + 250n * MS);
  clocks.wall += HOUR + 5_000;
  expect(clock.now()).toBe(BigInt(clocks.wall) * MS);
});

test('two readings that differ a little are no step', () => {
  const clocks = new Clocks();
  const clock = createHostClock(clocks);
  const before = clock.now();
  clocks.wall += 900;
  expect(clock.now()).toBe(before);
});
