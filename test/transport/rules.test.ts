import { describe, expect, it } from 'vitest';
import { AddressCounter, BodyBudget, BodyCollector } from '../../src/adapters/transport/rules.js';

describe('websockets of one address', () => {
  it('are bounded, and one that ends makes room', () => {
    const counter = new AddressCounter(2);
    for (const address of ['192.0.2.1', '192.0.2.1']) counter.add(address);
    expect([counter.isFull('192.0.2.1'), counter.isFull('192.0.2.2')]).toEqual([true, false]);
    counter.remove('192.0.2.1');
    expect(counter.isFull('192.0.2.1')).toBe(false);
  });

  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', '0000:0000:0000:0000:0000:0000:0000:0001', '0000:0000:0000:0000:0000:ffff:7f00:0001'])(
    'are not counted against loopback, written as %s',
    (address) => {
      const counter = new AddressCounter(0);
      expect(counter.isFull(address)).toBe(false);
    },
  );

  it.each(['::ffff:192.0.2.1', '12.7.0.1', '2001:db8::1', '0000:0000:0000:0000:0000:ffff:c000:0201'])('are counted for %s', (address) => {
    expect(new AddressCounter(0).isFull(address)).toBe(true);
  });
});

describe('bytes of bodies', () => {
  it('are given back once, whatever ends a request', () => {
    const budget = new BodyBudget(10);
    const first = new BodyCollector(10, budget);
    expect([first.add(new Uint8Array(8)), new BodyCollector(10, budget).add(new Uint8Array(3)), new BodyCollector(2, budget).add(new Uint8Array(3))]).toEqual(['added', 'no-budget', 'too-large']);
    first.release();
    first.release();
    const second = new BodyCollector(20, budget);
    expect([second.add(new Uint8Array(10)), second.add(new Uint8Array(1))]).toEqual(['added', 'no-budget']);
  });
});
