import { expect, it } from 'vitest';
import { keyAfter } from '../../../src/core/bytes/key-order.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { PrefetchedRows } from '../../../src/core/state/prefetched-rows.js';

const key = (byte: number): Uint8Array => Uint8Array.of(1, byte);

/** Prefetched rows over a store with every even key; point reads are recorded. */
function counted() {
  const store = new CacheStore(EMPTY_STATE);
  for (let byte = 0; byte < 100; byte += 2) store.set('acc', key(byte), key(byte));
  const read: number[] = [];
  const ahead = new PrefetchedRows({
    get: (name, of) => {
      read.push(of[1] ?? 0);
      return store.get(name, of);
    },
    range: (name, range) => store.range(name, range),
  });
  return { ahead, read };
}

it('a prefetched range answers present and absent keys without point reads', () => {
  const { ahead, read } = counted();
  ahead.read('acc', [key(10), key(50)], 21, 100);
  for (let byte = 10; byte <= 50; byte += 1)
    expect(ahead.get('acc', key(byte)), `${byte}`).toEqual(byte % 2 === 0 ? key(byte) : undefined);
  expect(read).toEqual([]);
  expect(ahead.get('acc', key(8))).toEqual(key(8));
  expect(ahead.get('acc', keyAfter(key(50)))).toBeUndefined();
  expect(ahead.get('bank', key(10))).toBeUndefined();
  expect(read).toEqual([8, 50, 10]);
});

it('a prefetched range cut by the row limit ends behind its last row', () => {
  const { ahead, read } = counted();
  ahead.read('acc', [key(10), key(50)], 21, 5);
  expect([10, 11, 18, 19, 20].map((byte) => ahead.get('acc', key(byte))?.[1])).toEqual([
    10,
    undefined,
    18,
    undefined,
    20,
  ]);
  expect(read).toEqual([19, 20]);
});
