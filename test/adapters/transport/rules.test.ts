import { describe, expect, it } from 'vitest';
import { cachedByText } from '../../../src/adapters/transport/cached-by-text.js';
import { RequestRate } from '../../../src/adapters/transport/request-rate.js';
import { AddressCounter, AddressLimits, isLoopback } from '../../../src/adapters/transport/address-limits.js';
import { BodyCollector } from '../../../src/adapters/transport/bodies.js';
import { ByteBudget } from '../../../src/adapters/transport/byte-budget.js';
import { TOO_MANY_BYTES, collectHeaders, completeLimits, plainText } from '../../../src/adapters/transport/rules.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';

describe('websockets of one address', () => {
  it('are limited, and one that ends frees its place', () => {
    const counter = new AddressCounter(2);
    for (const address of ['192.0.2.1', '192.0.2.1']) counter.add(address);
    expect([counter.isFull('192.0.2.1'), counter.isFull('192.0.2.2')]).toEqual([true, false]);
    counter.remove('192.0.2.1');
    expect(counter.isFull('192.0.2.1')).toBe(false);
    counter.remove('192.0.2.1');
    expect(counter.addresses).toBe(0);
  });
});

describe('duplicate headers', () => {
  it.each(['content-length', 'Host', 'ORIGIN', 'Transfer-Encoding'])(
    '%s is refused when sent twice, whatever its values',
    (name) => {
      expect(collectHeaders([[name, 'a']])).toEqual(new Map([[name.toLowerCase(), 'a']]));
      expect(
        collectHeaders([
          [name, 'a'],
          [name.toLowerCase(), 'a'],
        ]),
      ).toBeUndefined();
    },
  );

  it('other headers are joined in their order', () =>
    expect(
      collectHeaders([
        ['Accept', 'a'],
        ['x', '1'],
        ['accept', 'b'],
      ]),
    ).toEqual(
      new Map([
        ['accept', 'a, b'],
        ['x', '1'],
      ]),
    ));
});

describe('loopback addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.1',
    '::1',
    '::ffff:127.0.0.1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '0000:0000:0000:0000:0000:ffff:7f00:0001',
  ])('include %s', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each(['::ffff:192.0.2.1', '12.7.0.1', '2001:db8::1', '0000:0000:0000:0000:0000:ffff:c000:0201'])(
    'exclude %s',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});

describe('limits of a server that only this machine reaches', () => {
  const timers = { after: () => () => undefined, yield: () => Promise.resolve() };
  const limits = { bodyBytes: 1, messageBytes: 1, webSockets: 1 };

  it.each(['127.0.0.1', '::1', 'localhost'])('exempt all clients of %s, unless loopback is limited', (host) => {
    expect(new AddressLimits(timers, completeLimits(limits)).exemptsAllOf(host)).toBe(true);
    expect(new AddressLimits(timers, completeLimits({ ...limits, limitLoopback: true })).exemptsAllOf(host)).toBe(
      false,
    );
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'node.example'])('do not exempt all clients of %s', (host) => {
    expect(new AddressLimits(timers, completeLimits(limits)).exemptsAllOf(host)).toBe(false);
  });
});

describe('cachedByText', () => {
  it('computes once per text, again when the cache is full, and always for long texts', () => {
    const judged: string[] = [];
    const isEven = cachedByText((text) => {
      judged.push(text);
      return text.length % 2 === 0;
    });
    const long = 'x'.repeat(66);
    expect([isEven('ab'), isEven('ab'), isEven('a'), isEven(long), isEven(long)]).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(judged).toEqual(['ab', 'a', long, long]);
    for (let index = 0; index < 1_024; index += 1) isEven(`n${index}`);
    expect([isEven('ab'), judged.filter((text) => text === 'ab').length]).toEqual([true, 2]);
  });
});

describe('requests of one address', () => {
  const timers = () => {
    const due: (() => void)[] = [];
    return {
      due,
      port: {
        after: (_milliseconds: number, run: () => void) => {
          due.push(run);
          return () => void due.splice(0);
        },
        yield: () => Promise.resolve(),
      },
    };
  };

  it('may come in a burst and then at a rate, without affecting other addresses', () => {
    const { due, port } = timers();
    const rate = new RequestRate(port, 2, 5);
    const ask = (address: string, times: number): number =>
      Array.from({ length: times }, () => rate.take(address)).filter(Boolean).length;
    expect([ask('a', 9), ask('b', 1)]).toEqual([5, 1]);
    due.shift()?.();
    expect(ask('a', 9)).toBe(2);
    for (let second = 0; second < 3; second += 1) due.shift()?.();
    // Without requests no timer runs, and the whole burst is available again.
    expect([due.length, ask('a', 9)]).toEqual([0, 5]);
    rate.stop();
    expect(due).toEqual([]);
  });

  it('are counted for at most ten thousand addresses, and refused from others', () => {
    const rate = new RequestRate(timers().port, 1, 1);
    expect(Array.from({ length: 10_001 }, (_, index) => rate.take(String(index))).filter(Boolean)).toHaveLength(10_000);
  });
});

describe('request body bytes', () => {
  it('are released once, however a request ends', () => {
    const budget = new ByteBudget(10);
    const tooLarge = plainText(413, 'too large');
    const body = (maximum: number): BodyCollector => new BodyCollector({ maximum, budget, tooLarge });
    const piece = (length: number): Uint8Array => new Uint8Array(length);
    const first = body(10);
    expect([first.take(piece(8), false), body(10).take(piece(3), true), body(2).take(piece(3), true)]).toEqual([
      'more',
      TOO_MANY_BYTES,
      tooLarge,
    ]);
    first.release();
    first.release();
    const second = body(20);
    expect([second.take(piece(10), true), second.take(piece(1), true)]).toEqual(['whole', TOO_MANY_BYTES]);
  });

  it('of a refused body are released at once, and it is answered after its last piece', () => {
    const budget = new ByteBudget(10);
    const refusal = plainText(400, 'refused');
    const body = new BodyCollector({ maximum: 20, budget, tooLarge: plainText(413, 'too large') });
    expect(body.take(new Uint8Array(10), false)).toBe('more');
    expect(body.take(new Uint8Array(1), false, () => refusal)).toBe('more');
    expect(budget.take(10)).toBe(true);
    expect(body.take(new Uint8Array(1), false)).toBe('more');
    expect(body.take(new Uint8Array(0), true)).toBe(refusal);
  });

  it('of a refused body are discarded up to a limit', () => {
    const tooLarge = plainText(413, 'too large');
    const body = new BodyCollector({ maximum: 1, budget: new ByteBudget(1), tooLarge });
    const piece = new Uint8Array(FIXED_LIMITS.refusedBodyBytes / 4);
    expect(Array.from({ length: 5 }, () => body.take(piece, false))).toEqual([
      ...Array.from({ length: 4 }, () => 'more'),
      tooLarge,
    ]);
  });

  it.each([
    ['a body of the limit', { 'content-length': '1000' }, 'more'],
    ['a larger one', { 'content-length': '1001' }, 'more'],
    ['one that is far too large', { 'content-length': String(FIXED_LIMITS.refusedBodyBytes + 1) }, 413],
  ] as const)('of %s are accepted or refused by its headers', (_, headers, expected) => {
    const body = new BodyCollector({
      maximum: 1_000,
      budget: new ByteBudget(1_000),
      tooLarge: plainText(413, 'too large'),
    });
    const state = body.begin(new Map(Object.entries(headers)));
    expect(typeof state === 'object' ? state.status : state).toBe(expected);
  });

  it('are copied, in the order in which they arrived', () => {
    const body = new BodyCollector({ maximum: 300, budget: new ByteBudget(300), tooLarge: plainText(413, '') });
    const chunk = new Uint8Array(100);
    for (const fill of [1, 2, 3]) {
      body.take(chunk.fill(fill), false);
      expect(body.bytes().at(-1)).toBe(fill);
    }
    chunk.fill(9);
    expect([...body.bytes()]).toEqual([1, 2, 3].flatMap((fill) => Array.from({ length: 100 }, () => fill)));
  });
});
