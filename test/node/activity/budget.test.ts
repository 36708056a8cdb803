import { expect, test } from 'vitest';
import { toTimeNs } from '../../../src/core/primitives.js';
import { Budget } from '../../../src/node/activity/budget.js';

test('a budget allows its burst at once, then refills at its rate up to the burst', () => {
  let now = 0n;
  const budget = new Budget({ clock: { now: () => toTimeNs(now) }, perSecond: 10, burst: 20 });
  expect(budget.take(15)).toBe(15);
  expect(budget.take(15)).toBe(5);
  expect(budget.take(1)).toBe(0);
  now += 500_000_000n;
  expect(budget.take(100)).toBe(5);
  now += 3_600_000_000_000n;
  expect(budget.take(100)).toBe(20);
});
