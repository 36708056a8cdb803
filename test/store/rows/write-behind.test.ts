/** Commits that are gathered in memory before they are written. */
import { expect, it } from 'vitest';
import { writeBehind } from '../../../src/store/rows/write-behind.js';
import { MemoryStore } from '../../support/memory-store.js';
import { text } from '../support.js';

const put = (key: string, value: string) => ({ type: 'put', key: text(key), value: text(value) }) as const;

it('a commit applies the rows of `before` first, and then its operations', async () => {
  const inner = new MemoryStore();
  const store = writeBehind(inner, (key) => key[0] === text('r')[0]);
  await store.commit([put('r2', 'given'), put('w2', 'given')], {
    sync: false,
    before: [put('r1', 'made'), put('r2', 'made'), put('w1', 'made'), put('w2', 'made')],
  });
  const read = (from: MemoryStore | typeof store): readonly unknown[] =>
    ['r1', 'r2', 'w1', 'w2'].map((key) => from.get(text(key)));
  expect(read(store)).toEqual([text('made'), text('given'), undefined, undefined]);
  await store.flush();
  expect(read(inner)).toEqual([text('made'), text('given'), text('made'), text('given')]);
});
