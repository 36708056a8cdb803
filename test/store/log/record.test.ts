import fc from 'fast-check';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type LogEvent, type Recorded, STREAM_OF } from '../../../src/core/log-events.js';
import { toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { joinBlock, splitBlock } from '../../../src/store/codec/block-parts.js';
import { ByteReader, ByteWriter, FormatError } from '../../../src/store/bytes.js';
import { CorruptionError } from '../../../src/store/errors.js';
import { MemoryStore } from '../../support/memory-store.js';
import { readRecord } from '../../../src/store/log/read-records.js';
import { ALL_SECTIONS, BLOCK_SECTIONS, encodeRecord, NO_HASH } from '../../../src/store/log/record.js';
import { unpackSnappy } from '../../../src/store/leveldb/snappy.js';
import { crc32c } from '../../../src/store/leveldb/crc32c.js';
import { unpackWrites } from '../../../src/store/codec/state-writes.js';
import { arbitraryBatch } from '../arbitrary-events.js';
import {
  admitted,
  blockBytes,
  bytesOf,
  chainStarted,
  crypto,
  decided,
  decidedExternally,
  decidedWithNotices,
  dropped,
  executed,
  executedExternally,
  executedOutsideTouching,
  executedTouching,
  filterCreated,
  filterRemoved,
  nodeStarted,
  reverted,
  snapshotRestored,
  snapshotRestoredHere,
  snapshotTaken,
  text,
  timeShifted,
  upgradeHalted,
} from '../support.js';

async function storeOf(
  rows: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(rows.map((row) => ({ type: 'put', ...row })));
  return store;
}

describe('log record', () => {
  it('decodes to the events that were encoded', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryBatch, fc.uint8Array({ minLength: 32, maxLength: 32 }), async (batch, previous) => {
        const { rows, hash } = encodeRecord(batch, previous, crypto);
        const decoded = readRecord(await storeOf(rows), crypto, batch[0].position, ALL_SECTIONS);
        expect(decoded.events).toEqual(batch);
        expect(decoded.header.hash).toEqual(hash);
        expect(decoded.header.previousHash).toEqual(previous);
      }),
      { numRuns: 500 },
    );
  });

  it('with a changed byte throws a CorruptionError with its position, or has another hash', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryBatch,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (batch, rowPick, bytePick, change) => {
          const { rows, hash } = encodeRecord(batch, NO_HASH, crypto);
          const row = rows[rowPick % rows.length];
          if (row === undefined) return;
          const at = bytePick % row.value.length;
          row.value[at] = (row.value[at] ?? 0) ^ change;
          const store = await storeOf(rows);
          try {
            expect(readRecord(store, crypto, batch[0].position, ALL_SECTIONS).header.hash).not.toEqual(hash);
          } catch (error) {
            if (!(error instanceof CorruptionError)) throw error;
            expect(error.where.position).toBe(batch[0].position);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is read without state writes on request, and verifies without their row', async () => {
    const events = recorded([decided(1n), executed(1n)]);
    const { rows } = encodeRecord(events, NO_HASH, crypto);
    const store = await storeOf(rows.filter(({ key }) => key.at(-1) !== 4));
    const [, found] = readRecord(store, crypto, toPosition(1n), BLOCK_SECTIONS).events;
    expect(found?.event).toEqual({ ...executed(1n), data: { ...executed(1n).data, writes: [] } });
    expect(() => readRecord(store, crypto, toPosition(1n), ALL_SECTIONS)).toThrow(/section writes is missing/);
  });

  it('has transactions in one section only', () => {
    const { rows } = encodeRecord(recorded([decided(1n, [text('a transaction')])]), NO_HASH, crypto);
    const holding = rows.filter(({ value }) => Buffer.from(value).includes('a transaction'));
    expect(holding.map(({ key }) => key.at(-1))).toEqual([2]);
  });
});

describe('splitting a block', () => {
  it('is exactly undone by joining, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.array(fc.uint8Array()).map((txs) => blockBytes(txs)),
        ),
        (block) => {
          expect(joinBlock(splitBlock(block))).toEqual(Uint8Array.from(block));
        },
      ),
      { numRuns: 500 },
    );
    expect(splitBlock(blockBytes([text('x')])).data).toEqual(bytesOf(0x0a, 1, 0x78));
  });
});

describe('byte functions', () => {
  it('ByteReader reads the numbers that ByteWriter wrote', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.nat(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (big, small, signed) => {
          const writer = new ByteWriter();
          writer.uint(big);
          writer.uint(small);
          writer.int(signed);
          const reader = new ByteReader(writer.finish());
          expect([reader.uint(), reader.count(), reader.int()]).toEqual([big, small, signed]);
          reader.end();
        },
      ),
    );
  });

  it('ByteReader rejects random bytes with a FormatError and no other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        for (const read of [() => unpackWrites(new ByteReader(noise)), () => unpackSnappy(noise, 1_000)]) {
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('crc32c is the Castagnoli checksum of RFC 3720', () => {
    expect(crc32c(text('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  });

  it('unpackSnappy unpacks literals and overlapping copies', () => {
    expect(unpackSnappy(bytesOf(8, 0x04, 0x61, 0x62, 0x09, 0x02), 100)).toEqual(text('abababab'));
  });
});

/**
 * One file per event type and version, kept for ever and never changed: a new form of an event gets a new version and
 * a new file. (UPDATE_FIXTURES=1 writes a missing file.)
 */
describe('fixtures of released event versions', () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'fixtures', 'events');
  const releases: readonly LogEvent[] = [
    chainStarted(),
    decided(7n, [text('one'), text('two')]),
    executed(7n, 9n),
    decidedExternally(7n),
    decidedWithNotices(7n),
    executedExternally(7n),
    executedTouching(7n),
    executedOutsideTouching(7n),
    admitted('tx', ['one', 'two']),
    dropped('one', 'two'),
    upgradeHalted(),
    nodeStarted(),
    filterCreated(),
    filterRemoved(),
    timeShifted(),
    snapshotTaken(),
    reverted(12n),
    snapshotRestored(),
    snapshotRestoredHere(),
  ];

  const rowsOf = (file: string): { hash: string; rows: { key: Uint8Array; value: Uint8Array }[] } => {
    const fixture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { hash: string; rows: [string, string][] };
    return {
      hash: fixture.hash,
      rows: fixture.rows.map(([key, value]) => ({ key: fromHex(key), value: fromHex(value) })),
    };
  };

  it('TxAdmitted version 1 is read as version 2 that replaces no transaction', async () => {
    const { hash, rows } = rowsOf('record-1/TxAdmitted.v1.json');
    const decoded = readRecord(await storeOf(rows), crypto, toPosition(1n), ALL_SECTIONS);
    expect(decoded.events).toEqual(recorded([admitted('tx')]));
    expect(decoded.header.hash).toEqual(fromHex(hash));
  });

  for (const event of releases) {
    it(`${event.type} version ${event.v} decodes and encodes to the same bytes`, async () => {
      const file = join(folder, `${event.type}.v${event.v}.json`);
      const events = recorded([event]);
      const { rows, hash } = encodeRecord(events, NO_HASH, crypto);
      if (!existsSync(file) && process.env['UPDATE_FIXTURES'] === '1') {
        mkdirSync(folder, { recursive: true });
        const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
        writeFileSync(
          file,
          `${JSON.stringify({ hash: hex(hash), rows: rows.map(({ key, value }) => [hex(key), hex(value)]) }, undefined, 1)}\n`,
        );
      }
      for (const kept of [`${event.type}.v${event.v}.json`, `record-1/${event.type}.v${event.v}.json`].map(rowsOf)) {
        const decoded = readRecord(await storeOf(kept.rows), crypto, toPosition(1n), ALL_SECTIONS);
        expect(decoded.events).toEqual(events);
        expect(decoded.header.hash).toEqual(fromHex(kept.hash));
      }
      expect(rows).toEqual(rowsOf(`${event.type}.v${event.v}.json`).rows);
    });
  }
});

function recorded(events: readonly LogEvent[]): [Recorded, ...Recorded[]] {
  const [first, ...rest] = events.map((event, index): Recorded => ({
    position: toPosition(BigInt(index + 1)),
    stream: STREAM_OF[event.type],
    streamPosition: BigInt(index + 1),
    time: toTimeNs(1_700_000_000_123_456_789n),
    cause: 'command-1',
    event,
  }));
  if (first === undefined) throw new Error('no events');
  return [first, ...rest];
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
