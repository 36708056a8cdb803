/** Rows that are compared by sums (src/store/rows/row-sums.ts). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KeyValue } from '../../../src/core/ports/key-value-store.js';
import { compareRows } from '../../../src/store/log/compare-rows.js';
import { RowSumsInsufficient, RowSums, withoutSummed } from '../../../src/store/rows/row-sums.js';
import { MemoryStore } from '../../support/memory-store.js';

const TABLE = 0x21;
const rowsOfTable = fc.uniqueArray(
  fc.record({ key: fc.uint8Array({ maxLength: 20 }), value: fc.uint8Array({ maxLength: 40 }) }),
  { selector: ({ key }) => key.join(), minLength: 1, maxLength: 20 },
);

function sumsOf(rows: readonly KeyValue[]): RowSums {
  const sums = new RowSums([TABLE]);
  for (const { key, value } of rows) expect(sums.add(Uint8Array.of(TABLE, ...key), value)).toBe(true);
  return sums;
}

it('row sums are equal for the same rows in any order, and for no other rows', () => {
  fc.assert(
    fc.property(rowsOfTable, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (rows, pick, at, change) => {
      const sums = sumsOf(rows);
      expect(sums.agrees(sumsOf(rows.toReversed()), TABLE)).toBe(true);
      const place = pick % rows.length;
      const row = rows[place] ?? { key: Uint8Array.of(), value: Uint8Array.of() };
      const others = [
        rows.toSpliced(place, 1),
        [...rows, row],
        rows.with(place, { ...row, value: Uint8Array.of(...row.value, 0) }),
        ...(row.value.length === 0
          ? []
          : [
              rows.with(place, {
                ...row,
                value: row.value.with(at % row.value.length, change ^ (row.value[at % row.value.length] ?? 0)),
              }),
            ]),
      ];
      for (const other of others) expect(sums.agrees(sumsOf(other), TABLE)).toBe(false);
    }),
  );
});

it('row sums tell apart two rows whose keys and values split the same bytes differently', () => {
  const [left, right] = [new RowSums([TABLE]), new RowSums([TABLE])];
  left.add(Uint8Array.of(TABLE, 1), Uint8Array.of(2, 3));
  right.add(Uint8Array.of(TABLE, 1, 2), Uint8Array.of(3));
  expect(left.agrees(right, TABLE)).toBe(false);
});

it('row sums require whole rows when a stored row differs, and when a summed row is read or deleted', async () => {
  const stored = new MemoryStore();
  const key = Uint8Array.of(TABLE, 7);
  await stored.commit([{ type: 'put', key, value: Uint8Array.of(1) }]);
  const sums = new RowSums([TABLE]);
  sums.add(key, Uint8Array.of(1));
  expect(await compareRows(stored, new MemoryStore(), () => undefined, { sums })).toBe(1);
  await stored.commit([{ type: 'put', key, value: Uint8Array.of(2) }]);
  await expect(compareRows(stored, new MemoryStore(), () => undefined, { sums })).rejects.toThrow(RowSumsInsufficient);
  const derived = withoutSummed(new MemoryStore(), sums);
  expect(() => derived.get(key)).toThrow(RowSumsInsufficient);
  await expect(derived.range({ start: key, end: Uint8Array.of(TABLE + 1), limit: 1 })).rejects.toThrow(
    RowSumsInsufficient,
  );
  await expect(derived.commit([{ type: 'delete', key }], { sync: false })).rejects.toThrow(RowSumsInsufficient);
});
