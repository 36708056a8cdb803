/** Rows that are stored as their difference from other rows (src/store/packing). */
import { hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyValue, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { ANCHOR_MAGIC, ANCHOR_POSITION } from '../../../src/store/log/anchor.js';
import { ByteReader, ByteWriter, FormatError } from '../../../src/store/bytes.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import type { CorruptionError } from '../../../src/store/errors.js';
import { SECTION } from '../../../src/store/codec/sections.js';
import { PREFIX, recordKey, recordsEnd, restoredKey } from '../../../src/store/keys.js';
import { baseOf, readDelta, writeDelta } from '../../../src/store/packing/delta.js';
import { baseBounds, baseIdIn } from '../../../src/store/packing/kinds.js';
import { readRecord, recordHash } from '../../../src/store/log/read-records.js';
import { ALL_SECTIONS } from '../../../src/store/log/record.js';
import { openStored, sealRows } from '../../../src/store/rows/row.js';
import { FLOOR_KEY, undoKey } from '../../../src/store/state/tables.js';
import { toPosition } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../support/memory-store.js';
import { crypto, text } from '../support.js';

const NONE: Uint8Array = new Uint8Array(0);

function difference(value: Uint8Array, base: Uint8Array, near: Uint8Array = NONE): Uint8Array {
  const to = new ByteWriter();
  writeDelta(to, value, baseOf(base), near);
  return to.finish();
}

/** Bytes with repetitions, digits, and arbitrary bytes. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(text('validator'), text('{"amount":"'), text('0123456789abcdef00')),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe('a delta between bytes', () => {
  it('is decoded to the bytes that were encoded', () => {
    fc.assert(
      fc.property(pieces, pieces, pieces, (value, base, near) => {
        const delta = difference(value, base, near);
        expect(readDelta(new ByteReader(delta), base, near, 10_000)).toEqual(value);
      }),
    );
  });

  it('of bytes with a changed number takes little more than the number, packed into half its digits', () => {
    const base = text('mint the amount of 1234567890123456 achr to the module of fees, and tell it in an event');
    const value = text('mint the amount of 9876543210987654 achr to the module of fees, and tell it in an event');
    expect(difference(value, base).length).toBeLessThanOrEqual(8 + 8);
    expect(difference(value, NONE, value).length).toBeLessThan(8);
  });

  it('contains repeated bytes once', () => {
    const hash = crypto.sha256(text('block'));
    expect(difference(Uint8Array.from([...hash, ...hash, ...hash]), NONE).length).toBeLessThan(32 + 10);
  });

  it('that is damaged throws a FormatError, or decodes to other bytes of the same size', () => {
    const value = text('a value of some bytes 1234567890123456 that has a value of some bytes');
    const delta = difference(value, text('a value that has bytes'));
    for (let at = 0; at < delta.length; at += 1)
      for (const flip of [1, 0x80, 0xff]) {
        const damaged = delta.map((byte, index) => (index === at ? byte ^ flip : byte));
        try {
          const read = readDelta(new ByteReader(damaged), text('a value that has bytes'), NONE, 1_000);
          expect(read.length).toBeLessThanOrEqual(1_000);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }
    expect(() => readDelta(new ByteReader(delta), text('a value that has bytes'), NONE, value.length - 1)).toThrow(
      'too many bytes',
    );
    expect(() => readDelta(new ByteReader(delta.subarray(0, -1)), text('a value that has bytes'), NONE, 1_000)).toThrow(
      FormatError,
    );
  });

  it('is rejected when a run begins before its base or after the bytes decoded so far', () => {
    const [own, run, far] = [[0x04, 1, 2], 3, 40];
    for (const where of [2 + 2 * far, 2 + 2 * far + 1]) {
      const delta = Uint8Array.from([5, ...own, run, where]);
      expect(() => readDelta(new ByteReader(delta), NONE, NONE, 1_000)).toThrow('outside of its source');
    }
  });
});

const BLOCKS = 40;

/** Bytes similar to those of a block: a hash, numbers, and words that repeat. */
function like(block: number, kind: string): Uint8Array {
  const hash = crypto.sha256(text(`${kind} ${block}`));
  const json = `"validators_hash":"6d6f6e69","proposer":"valoper","amount":"${1_000_000_007n * BigInt(block + 11)}"`;
  return Uint8Array.from([...text(`${kind} {"chain":"chronicle"${json}`), ...hash, ...text(json)]);
}

const positionOf = (block: number) => toPosition(BigInt(1 + 2 * block));
const SECTIONS = [SECTION.results, SECTION.writes];

/** Rows of a block in the order in which they are written. */
function rowsOf(block: number): readonly KeyValue[] {
  return [
    { key: undoKey(toHeight(BigInt(block))), value: like(block - 1, 'writes') },
    { key: recordKey(positionOf(block), 0), value: like(block, 'record') },
    ...SECTIONS.map((section) => ({
      key: recordKey(positionOf(block), section),
      value: like(block, section === SECTION.writes ? 'writes' : `section ${section}`),
    })),
  ];
}

const puts = (rows: readonly KeyValue[]): readonly StoreOperation[] => rows.map((row) => ({ type: 'put', ...row }));
const everyRow = Array.from({ length: BLOCKS }, (_, block) => rowsOf(block)).flat();

describe('packed rows of blocks', () => {
  const memory = new MemoryStore();
  const stored = (key: Uint8Array) => openStored(key, memory.get(key) ?? NONE);

  beforeAll(async () => {
    const store = withRowChecksums(memory);
    for (let block = 0; block < BLOCKS / 2; block += 1) await store.commit(puts(rowsOf(block)), { sync: true });
    // Another process, and many blocks in a batch.
    const again = withRowChecksums(memory);
    const rest = Array.from({ length: BLOCKS / 2 }, (_, index) => rowsOf(BLOCKS / 2 + index)).flat();
    await again.commit(puts(rest), { sync: true });
  });

  it('are read whole, one by one and in ranges, also through other store handles', async () => {
    const reader = withRowChecksums(memory);
    for (const { key, value } of everyRow) expect(reader.get(key)).toEqual(value);
    const records = await withRowChecksums(memory).range({
      start: Uint8Array.of(PREFIX.record),
      end: recordsEnd(),
      limit: 1_000,
    });
    expect(records).toEqual(everyRow.filter(({ key }) => key[0] === PREFIX.record));
  });

  it('take a third of the original size, with bases that do not grow with the chain', async () => {
    const [whole, packed] = [everyRow.map(({ value }) => value), everyRow.map(({ key }) => stored(key).value)].map(
      (values) => values.reduce((sum, { length }) => sum + length, 0),
    );
    expect(packed).toBeLessThan((whole ?? 0) / 3);
    const bases = await memory.range({ ...baseBounds(), limit: 99 });
    expect(bases.length).toBeLessThan(6 * 3);
  });

  it('refer to a hash that another row of the block contains', () => {
    expect(stored(undoKey(toHeight(30n))).value.length).toBeLessThan(32);
  });

  it('are readable after pruning deletes results and traces', async () => {
    const store = withRowChecksums(memory);
    const pruned = [recordKey(positionOf(7), SECTION.results)];
    const kept = await Promise.all(pruned.map((key) => Promise.resolve(memory.get(key) ?? NONE)));
    await store.commit(
      pruned.map((key) => ({ type: 'delete', key })),
      { sync: true },
    );
    for (const { key, value } of [...rowsOf(7), ...rowsOf(8)])
      if (!pruned.some((gone) => key.every((byte, at) => byte === gone[at])))
        expect(withRowChecksums(memory).get(key)).toEqual(value);
    await memory.commit(pruned.map((key, at) => ({ type: 'put', key, value: kept[at] ?? NONE })));
  });

  it('are named by the error when a row that they refer to is missing or damaged', async () => {
    const key = undoKey(toHeight(9n));
    const near = recordKey(positionOf(8), SECTION.writes);
    const row = memory.get(near) ?? NONE;
    for (const damaged of [undefined, row.map((byte, at) => (at === 5 ? byte ^ 1 : byte))]) {
      await memory.commit([
        damaged === undefined ? { type: 'delete', key: near } : { type: 'put', key: near, value: damaged },
      ]);
      const errors: CorruptionError[] = [];
      const store = withRowChecksums(memory, (error) => errors.push(error));
      expect(() => store.get(key)).toThrow(/by difference/);
      expect(errors.map(({ where }) => where.key)).toEqual([Buffer.from(key).toString('hex')]);
      await memory.commit([{ type: 'put', key: near, value: row }]);
    }
  });
});

describe('packed rows that replace deleted rows', () => {
  it('do not refer to the deleted rows', async () => {
    const memory = new MemoryStore();
    const store = withRowChecksums(memory);
    for (const block of [0, 1, 2]) await store.commit(puts(rowsOf(block)), { sync: true });
    for (const { key, value } of rowsOf(2)) expect(store.get(key)).toEqual(value);
    const gone = rowsOf(2).map(({ key }): StoreOperation => ({ type: 'delete', key }));
    await store.commit(gone, { sync: true });
    const others = rowsOf(2).map(({ key }, at) => ({ key, value: rowsOf(9)[at]?.value ?? NONE }));
    const later = rowsOf(3);
    await store.commit(puts(others), { sync: true });
    await store.commit(puts(later), { sync: true });
    for (const { key, value } of [...others, ...later])
      for (const handle of [store, withRowChecksums(memory)]) expect(handle.get(key)).toEqual(value);
  });

  it('are readable when the row of the previous block was deleted', async () => {
    const memory = new MemoryStore();
    const store = withRowChecksums(memory);
    for (const block of [0, 1, 2]) await store.commit(puts(rowsOf(block)), { sync: true });
    await store.commit(
      rowsOf(2).map(({ key }) => ({ type: 'delete', key })),
      { sync: true },
    );
    await store.commit(puts(rowsOf(3)), { sync: true });
    for (const { key, value } of rowsOf(3)) expect(withRowChecksums(memory).get(key)).toEqual(value);
  });
});

describe('rows that have nothing in common with others', () => {
  it('are stored whole', async () => {
    const memory = new MemoryStore();
    const store = withRowChecksums(memory);
    const noise = (of: number) =>
      Uint8Array.from(Array.from({ length: 8 }, (_, at) => [...crypto.sha256(text(`${of} ${at}`))]).flat());
    for (let at = 0; at < 12; at += 1)
      await store.commit([{ type: 'put', key: undoKey(toHeight(BigInt(at))), value: noise(at) }], { sync: true });
    for (let at = 0; at < 12; at += 1) {
      const key = undoKey(toHeight(BigInt(at)));
      expect(withRowChecksums(memory).get(key)).toEqual(noise(at));
    }
  });

  it('do not change when the writer reuses its bytes', async () => {
    const memory = new MemoryStore();
    const store = withRowChecksums(memory);
    const value = like(0, 'writes');
    const key = undoKey(toHeight(0n));
    await store.commit([{ type: 'put', key, value }], { sync: true });
    value.set(like(1, 'writes').subarray(0, value.length));
    await store.commit([{ type: 'put', key: undoKey(toHeight(1n)), value: like(1, 'writes') }], { sync: true });
    expect(withRowChecksums(memory).get(undoKey(toHeight(1n)))).toEqual(like(1, 'writes'));
  });
});

describe('rows of earlier builds', () => {
  it('that refer to envelopes are read whole: the digests of their records match', async () => {
    const file = new URL('../../fixtures/packed-rows-of-format-5.json', import.meta.url);
    const rows = JSON.parse(readFileSync(file, 'utf8')) as [string, string][];
    const memory = new MemoryStore();
    await memory.commit(puts(rows.map(([key, value]) => ({ key: hexToBytes(key), value: hexToBytes(value) }))));
    const { header, events } = readRecord(withRowChecksums(memory), crypto, toPosition(185n), ALL_SECTIONS);
    expect(events.map(({ event }) => event.type)).toEqual(['BlockDecided', 'BlockExecuted']);
    expect(header.previousHash).toEqual(recordHash(withRowChecksums(memory), crypto, toPosition(183n)));
  });

  it('that are not packed are read, and later rows refer to them', async () => {
    const memory = new MemoryStore();
    await memory.commit(sealRows(puts(rowsOf(0))));
    const store = withRowChecksums(memory);
    await store.commit(puts(rowsOf(1)), { sync: true });
    await store.commit(puts(rowsOf(2)), { sync: true });
    for (const block of [0, 1, 2])
      for (const { key, value } of rowsOf(block)) expect(withRowChecksums(memory).get(key)).toEqual(value);
  });
});

it('pruning undo pages deletes the bases that only they used, and keeps the others', async () => {
  const memory = new MemoryStore();
  const store = withRowChecksums(memory);
  const valueOf = (height: number): Uint8Array =>
    Uint8Array.from(
      Array.from({ length: 40 }, (_, at) => [...crypto.sha256(text(`${at < 9 ? 0 : height >> 5} ${at}`))]).flat(),
    );
  const keyOf = (height: number): Uint8Array => undoKey(toHeight(BigInt(height)));
  const basesOf = async () => (await memory.range({ ...baseBounds(), limit: 99 })).map(({ key }) => key.at(-1));
  for (let height = 0; height < 400; height += 1)
    await store.commit([{ type: 'put', key: keyOf(height), value: valueOf(height) }], { sync: true });
  const before = await basesOf();
  expect(before.length).toBeGreaterThan(3);
  const deletions = Array.from({ length: 380 }, (_, height) => ({ type: 'delete' as const, key: keyOf(height) }));
  await store.commit([...deletions.slice(350).toReversed()], { sync: true });
  expect(await basesOf()).toEqual(before);
  await store.commit([{ type: 'put', key: FLOOR_KEY, value: Uint8Array.of(0) }, ...deletions.slice(0, 350)], {
    sync: true,
  });
  const after = await basesOf();
  expect(after.length).toBeLessThan(before.length);
  expect(after).toEqual(before.slice(-after.length));
  for (let height = 380; height < 400; height += 1)
    expect(withRowChecksums(memory).get(keyOf(height))).toEqual(valueOf(height));
});

it('replacing records by an anchor deletes their bases, and keeps those of other records and the genesis', async () => {
  const memory = new MemoryStore();
  const store = withRowChecksums(memory);
  /** Rows for which another base is better after every 32 blocks. */
  const rowsAt = (block: number): readonly KeyValue[] =>
    rowsOf(block).flatMap(({ key, value }) => {
      const words = Array.from({ length: 12 }, (_, at) => crypto.sha256(text(`${block >> 5} ${at} ${key.at(-1)}`)));
      return key[0] === PREFIX.record
        ? [{ key, value: Uint8Array.from([...value, ...words.flatMap((word) => [...word])]) }]
        : [];
    });
  const idsOf = async (kind: 3 | 4): Promise<readonly number[]> =>
    (await memory.range({ ...baseBounds(kind), limit: 99 })).map(({ key }) => baseIdIn(key));
  let kept = 1;
  const replace = async (block: number): Promise<void> => {
    const behind = positionOf(block);
    const count = new ByteWriter();
    count.uint(BigInt(behind) - 2n);
    const anchor = Uint8Array.from([...ANCHOR_MAGIC, ...be64(2n), ...count.finish(), ...new Uint8Array(64)]);
    const [first] = rowsAt(block);
    await store.commit(
      puts([
        { key: recordKey(ANCHOR_POSITION, 0), value: anchor },
        { key: recordKey(behind, 0), value: first?.value ?? NONE },
        { key: restoredKey(), value: Uint8Array.of(1) },
      ]),
      { sync: true },
    );
    // Until the slices after it, the records before the anchor are whole.
    const before = withRowChecksums(memory);
    for (let left = kept; left < block; left += 1)
      for (const { key, value } of rowsAt(left)) expect(before.get(key), `block ${left}`).toEqual(value);
    for (let gone = block - 1; gone >= kept; gone -= 1)
      await store.commit(
        [0, ...SECTIONS].map((section) => ({ type: 'delete', key: recordKey(positionOf(gone), section) })),
        { sync: true },
      );
    kept = block;
  };
  for (let block = 0; block < 700; block += 1) {
    await store.commit(puts(rowsAt(block)), { sync: true });
    if (block % 100 === 90) await replace(block - 80);
  }
  for (const kind of [3, 4] as const) {
    const ids = await idsOf(kind);
    expect([ids[0], (ids.at(-1) ?? 0) > 4, ids.length < 5], `kind ${kind}: ${ids.join()}`).toEqual([0, true, true]);
  }
  const reader = withRowChecksums(memory);
  for (const block of [0, ...Array.from({ length: 700 - kept }, (_, index) => kept + index)])
    for (const { key, value } of rowsAt(block)) expect(reader.get(key), `block ${block}`).toEqual(value);
});

it('takes another base when rows change, and keeps a base for some hundred rows', async () => {
  const memory = new MemoryStore();
  const store = withRowChecksums(memory);
  let at = 0;
  const grow = async (blocks: number, word: string): Promise<number> => {
    for (let index = 0; index < blocks; index += 1, at += 1) {
      const words = Array.from({ length: 40 }, (_, place) => crypto.sha256(text(`${word} ${place}`)));
      const value = Uint8Array.from([...words.flatMap((hash) => [...hash]), ...crypto.sha256(text(`${at}`))]);
      await store.commit([{ type: 'put', key: undoKey(toHeight(BigInt(at))), value }], { sync: true });
    }
    const { value } = openStored(
      undoKey(toHeight(BigInt(at - 1))),
      memory.get(undoKey(toHeight(BigInt(at - 1)))) ?? NONE,
    );
    return value.length;
  };
  expect(await grow(5, 'one')).toBeLessThan(100);
  expect(await grow(1, 'two')).toBeGreaterThan(1_000);
  expect(await grow(20, 'two')).toBeLessThan(100);
  const bases = await memory.range({ ...baseBounds(), limit: 99 });
  expect(bases).toHaveLength(2);
});
