import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import type { LogCriteria } from '../../../src/core/ethereum/api.js';
import { matchesLog } from '../../../src/core/ethereum/log-match.js';
import { toHeight } from '../../../src/core/primitives.js';
import type { LogsCriteria, Subscription } from '../../../src/core/subscriptions/index.js';
import { createLogIndex, isInRange } from '../../../src/core/subscriptions/log-index.js';

const addressOf = (number: number): Uint8Array => new Uint8Array(20).fill(number);
const topicOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const wide = (number: number): Uint8Array => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, number);
  return bytes;
};
const bound = fc.option(fc.bigInt({ min: 0n, max: 6n }).map(toHeight), { nil: undefined });
const topics = fc.array(fc.array(fc.integer({ min: 1, max: 3 }).map(topicOf), { maxLength: 3 }), { maxLength: 4 });
const criteria: fc.Arbitrary<LogCriteria> = fc.record({
  fromBlock: bound,
  toBlock: bound,
  addresses: fc.array(fc.integer({ min: 1, max: 3 }).map(addressOf), { maxLength: 3 }),
  topics,
});
const log = fc.record({
  address: fc.integer({ min: 1, max: 4 }).map(addressOf),
  topics: fc.array(fc.integer({ min: 1, max: 4 }).map(topicOf), { maxLength: 4 }),
  data: fc.constant(new Uint8Array(0)),
  logIndex: fc.constant(0),
});
const subscriptionOf = (wanted: LogCriteria, order: number): Subscription<LogsCriteria> => ({
  client: { face: 'ethereum' },
  order,
  criteria: { kind: 'logs', criteria: wanted },
});
const only = (address: Uint8Array, ...rest: readonly (readonly Uint8Array[])[]): LogCriteria => ({
  fromBlock: undefined,
  toBlock: undefined,
  addresses: [address],
  topics: rest,
});

describe('index of log subscriptions', () => {
  it('returns exactly the matching subscriptions in order of creation, also after removals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(criteria, fc.boolean()), { maxLength: 30, size: 'max' }),
        fc.array(log, { maxLength: 10 }),
        fc.bigInt({ min: 0n, max: 6n }),
        (wanted, logs, number) => {
          const height = toHeight(number);
          const index = createLogIndex();
          const all = wanted.map(([one, stays], order) => ({
            subscription: subscriptionOf(one, order),
            criteria: one,
            stays,
          }));
          for (const one of all) index.add(one.subscription);
          for (const one of all) if (!one.stays) index.remove(one.subscription);
          const kept = all.filter(({ stays }) => stays);
          expect(index.size).toBe(kept.length);
          for (const one of logs) {
            const expected = kept
              .filter((entry) => matchesLog(entry.criteria, one) && isInRange(entry.criteria, height))
              .map(({ subscription }) => subscription);
            expect(index.match({ log: one, height })).toEqual(expected);
          }
          for (const one of kept) index.remove(one.subscription);
          expect(index.size).toBe(0);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it('evaluates only candidates: one of 10,000 subscriptions to recipients of one token', () => {
    const index = createLogIndex();
    const transfer = topicOf(1);
    for (let account = 0; account < 10_000; account += 1) {
      const wanted = only(addressOf(1), [transfer], [], [wide(account)]);
      index.add(subscriptionOf(wanted, account));
    }
    const matched = index.match({
      log: { address: addressOf(1), topics: [transfer, wide(1), wide(77)], data: new Uint8Array(0), logIndex: 0 },
      height: toHeight(1n),
    });
    expect(matched.map(({ order }) => order)).toEqual([77]);
    expect(index.evaluations()).toBe(1);
  });

  it('evaluates equal criteria once for all their subscriptions', () => {
    const index = createLogIndex();
    for (let order = 0; order < 1_000; order += 1) index.add(subscriptionOf(only(addressOf(1)), order));
    expect(
      index.match({
        log: { address: addressOf(1), topics: [], data: new Uint8Array(0), logIndex: 0 },
        height: toHeight(1n),
      }),
    ).toHaveLength(1_000);
    expect(index.evaluations()).toBe(1);
  });

  it('finds and removes a subscription with a thousand addresses and topics', () => {
    const index = createLogIndex();
    const wanted: LogCriteria = {
      fromBlock: undefined,
      toBlock: undefined,
      addresses: Array.from({ length: 1_000 }, (_, number) => wide(number).slice(12)),
      topics: [Array.from({ length: 1_000 }, (_, number) => wide(number))],
    };
    const subscription = subscriptionOf(wanted, 1);
    const matched = () =>
      index.match({
        log: { address: wide(5).slice(12), topics: [wide(900)], data: new Uint8Array(0), logIndex: 0 },
        height: toHeight(1n),
      });
    index.add(subscription);
    expect(matched()).toEqual([subscription]);
    index.remove(subscription);
    expect([matched(), index.size]).toEqual([[], 0]);
  });
});
