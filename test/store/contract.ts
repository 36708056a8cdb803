import { afterEach, beforeEach, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../src/core/limits/limits.js';
import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import { bytesOf, text } from './support.js';

/** The contract of every implementation of KeyValueStore. `open` makes an empty store. */
export function keyValueStoreContract(open: () => Promise<KeyValueStore>): void {
  let store: KeyValueStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const put = (key: string, value: string) => ({ type: 'put' as const, key: text(key), value: text(value) });
  const rows = async (options: {
    start: string;
    end: string;
    reverse?: boolean;
    limit?: number;
  }): Promise<string[]> => {
    const { start, end, reverse = false, limit = 100 } = options;
    const found = await store.range({ start: text(start), end: text(end), reverse, limit });
    const decoder = new TextDecoder();
    return found.map(({ key, value }) => `${decoder.decode(key)}=${decoder.decode(value)}`);
  };

  it('answers undefined for a key that was never written', () => {
    expect(store.get(text('absent'))).toBeUndefined();
  });

  it('reads committed values, including empty and binary ones, as plain byte arrays', async () => {
    await store.commit(
      [put('a', '1'), put('empty', ''), { type: 'put', key: bytesOf(0, 255), value: bytesOf(0, 1, 255) }],
      { sync: true },
    );
    expect(store.get(text('a'))).toEqual(text('1'));
    expect(store.get(text('empty'))).toEqual(bytesOf());
    expect(store.get(bytesOf(0, 255))).toEqual(bytesOf(0, 1, 255));
    const [row] = await store.range({ start: text('a'), end: text('b'), limit: 1 });
    expect(row).toEqual({ key: text('a'), value: text('1') });
  });

  it('overwrites and deletes; in one batch the last operation on a key wins', async () => {
    await store.commit([put('a', '1'), put('b', '1')], { sync: false });
    await store.commit(
      [put('a', '2'), { type: 'delete', key: text('b') }, put('c', '1'), { type: 'delete', key: text('c') }],
      { sync: false },
    );
    expect(await rows({ start: 'a', end: 'z' })).toEqual(['a=2']);
  });

  it('writes batches in the order of the calls, also after a large batch that is prepared over several turns', async () => {
    const large = Array.from({ length: 2 * FIXED_LIMITS.batchRowsPerTurn + 1 }, (_, at) => put(`k${at}`, 'first'));
    const later = [put('k0', 'second')];
    const last = [put('k1', 'third')];
    await Promise.all([large, later, last].map((batch) => store.commit(batch, { sync: false })));
    expect([store.get(text('k0')), store.get(text('k1'))]).toEqual([text('second'), text('third')]);
  });

  it('applies the generated operations of `before` in order, ahead of the others of the batch', async () => {
    const { madeRowsPerTurn } = FIXED_LIMITS;
    await store.commit([put('gone', '1')], { sync: true });
    function* made() {
      for (let at = 0; at <= 2 * madeRowsPerTurn; at += 1) yield put(`k${at}`, 'made');
      yield { type: 'delete' as const, key: text('gone') };
      yield put('k0', 'made again');
    }
    const batch = store.commit([put('k1', 'given')], { sync: false, before: made() });
    await Promise.all([batch, store.commit([put('k2', 'next')], { sync: true })]);
    expect(
      ['k0', 'k1', 'k2', `k${2 * madeRowsPerTurn}`, 'gone'].map((key) => {
        const value = store.get(text(key));
        return value && new TextDecoder().decode(value);
      }),
    ).toEqual(['made again', 'given', 'next', 'made', undefined]);
  });

  it('reads ranges from start (included) to end (excluded) in byte order, both ways, within the limit', async () => {
    await store.commit(
      ['d', 'b', 'a', 'c', 'ab'].map((key) => put(key, key)),
      { sync: false },
    );
    expect(await rows({ start: 'a', end: 'd' })).toEqual(['a=a', 'ab=ab', 'b=b', 'c=c']);
    expect(await rows({ start: 'a', end: 'd', reverse: true })).toEqual(['c=c', 'b=b', 'ab=ab', 'a=a']);
    expect(await rows({ start: 'aa', end: 'z', limit: 2 })).toEqual(['ab=ab', 'b=b']);
    expect(await rows({ start: 'a', end: 'd', reverse: true, limit: 1 })).toEqual(['c=c']);
    expect(await rows({ start: 'c', end: 'a' })).toEqual([]);
    expect(await rows({ start: 'x', end: 'z' })).toEqual([]);
  });

  it('orders bytes as unsigned numbers', async () => {
    await store.commit(
      [0x80, 0x7f, 0xff, 0x00].map((byte) => ({ type: 'put', key: bytesOf(byte), value: bytesOf(byte) })),
      { sync: false },
    );
    const found = await store.range({ start: bytesOf(0), end: bytesOf(0xff, 0), limit: 9 });
    expect(found.map(({ key }) => key[0])).toEqual([0x00, 0x7f, 0x80, 0xff]);
  });

  it('is not affected by later changes of byte arrays given to it or taken from it', async () => {
    const key = text('k');
    const value = text('v');
    await store.commit([{ type: 'put', key, value }], { sync: false });
    value[0] = 0;
    key[0] = 0;
    store.get(text('k'))?.fill(0);
    expect(store.get(text('k'))).toEqual(text('v'));
  });

  it('rejects every call after it was closed', async () => {
    await store.close();
    expect(() => store.get(text('a'))).toThrow();
    await expect(store.range({ start: text('a'), end: text('b'), limit: 1 })).rejects.toThrow();
    await expect(store.commit([put('a', '1')], { sync: false })).rejects.toThrow();
  });
}
