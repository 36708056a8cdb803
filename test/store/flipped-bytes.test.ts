import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyValue } from '../../src/core/ports/key-value-store.js';
import { toHeight } from '../../src/core/primitives.js';
import { blockIndexRows } from '../../src/store/block-index.js';
import { hex } from '../../src/core/bytes/hex.js';
import { openEventLog } from '../../src/store/event-log.js';
import { scanLevelFiles } from '../../src/store/leveldb-files.js';
import { openLevelStore } from '../../src/store/level-store.js';
import { openFileWitness } from '../../src/store/witness.js';
import { seededRandom } from '../support/faulty-store.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import {
  admitted,
  blockHash,
  chainStarted,
  crypto,
  decided,
  executed,
  steppingClock,
  text,
  txHash,
} from './support.js';

/** How many bits are flipped, one at a time; `every` takes one bit of every byte (scripts/flip-bytes.js). */
const COUNT = process.env['CHRONICLE_FLIPS'] ?? '500';
const EVERY = COUNT === 'every';
const SEED = Number(process.env['CHRONICLE_SEED'] ?? 20_251_121);

interface Flip {
  readonly file: string;
  readonly offset: number;
  readonly bit: number;
}

function* flipsOf(files: readonly { readonly file: string; readonly size: number }[]): Generator<Flip> {
  const random = seededRandom(SEED);
  const aBit = (): number => 1 << Math.floor(random() * 8);
  if (EVERY) {
    for (const { file, size } of files)
      for (let offset = 0; offset < size; offset += 1) yield { file, offset, bit: aBit() };
    return;
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  for (let flip = 0; flip < Number(COUNT); flip += 1) {
    let offset = Math.floor(random() * total);
    const at = files.find(({ size }) => {
      if (offset < size) return true;
      offset -= size;
      return false;
    });
    if (at !== undefined) yield { file: at.file, offset, bit: aBit() };
  }
}

/** Opens a home as the node does and reads everything; returns the reported problem, else every row. */
async function examine(home: string): Promise<{ problem: string } | { rows: readonly KeyValue[] }> {
  const directory = join(home, 'db');
  const reported = [...scanLevelFiles(directory)];
  if (reported[0] !== undefined) return { problem: reported[0].problem };
  const witness = openFileWitness(join(home, 'witness'));
  try {
    const store = await openLevelStore(directory, { create: false });
    try {
      const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'always', witness });
      const { problems } = await log.verifyAll({ directory });
      if (problems[0] !== undefined) return { problem: problems[0].problem };
      return { rows: await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 10_000 }) };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { problem: String(error) };
  } finally {
    witness.close();
  }
}

const logical = (rows: readonly KeyValue[]): string =>
  rows.map(({ key, value }) => `${hex(key)}=${hex(value)}`).join('\n');

describe('single flipped bits in the files of a small home', () => {
  let home: string;
  let healthy: string;

  beforeAll(async () => {
    home = temporaryFolder();
    const witness = openFileWitness(join(home, 'witness'));
    for (const [from, to] of [
      [1n, 20n],
      [21n, 40n],
    ] as const) {
      const store = await openLevelStore(join(home, 'db'), { create: true });
      const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'always', witness });
      if (from === 1n) await log.append([{ event: chainStarted() }]);
      for (let height = from; height <= to; height += 1n) {
        const index = blockIndexRows({
          height: toHeight(height),
          blockHash: blockHash(height),
          txHashes: [[txHash(text(`tx-${height}`))]],
        });
        await log.append([{ event: decided(height) }, { event: executed(height) }], index);
        await log.append([{ event: admitted(`pending ${height}`) }]);
      }
      await store.close();
    }
    witness.close();
    const pristine = copy();
    const found = await examine(pristine);
    if (!('rows' in found)) throw new Error(`healthy home: ${found.problem}`);
    healthy = logical(found.rows);
  });

  function copy(): string {
    const target = temporaryFolder();
    cpSync(home, target, { recursive: true });
    return target;
  }

  it('holds tables and a write-ahead log, so that both are tried', () => {
    const names = readdirSync(join(home, 'db'));
    expect(names.some((name) => name.endsWith('.ldb'))).toBe(true);
    expect(names.some((name) => name.endsWith('.log'))).toBe(true);
  });

  it(
    `are reported or change nothing that can be read (${COUNT} flips, seed ${SEED})`,
    { timeout: 240_000 + (EVERY ? 4 * 3_600_000 : 0) },
    async () => {
      const files = [
        'witness',
        ...readdirSync(join(home, 'db'))
          .filter((name) => name !== 'LOCK' && !name.startsWith('LOG'))
          .map((name) => join('db', name)),
      ];
      const silent: string[] = [];
      const harmless = new Map<string, number>();
      let flips = 0;
      let reported = 0;
      for (const { file, offset, bit } of flipsOf(
        files.map((file) => ({ file, size: readFileSync(join(home, file)).length })),
      )) {
        const target = copy();
        const bytes = readFileSync(join(target, file));
        bytes[offset] = (bytes[offset] ?? 0) ^ bit;
        writeFileSync(join(target, file), bytes);
        const found = await examine(target);
        removeFolder(target);
        flips += 1;
        if ('problem' in found) reported += 1;
        else if (logical(found.rows) !== healthy) silent.push(`${file} byte ${offset} bit ${bit}`);
        else harmless.set(file, (harmless.get(file) ?? 0) + 1);
      }
      const where = [...harmless].map(([file, count]) => `${count} in ${file}`).join(', ');
      process.stdout.write(
        `${flips} flips, seed ${SEED}: ${reported} reported, ${flips - reported - silent.length} harmless (${where}), ${silent.length} silent\n`,
      );
      expect(silent).toEqual([]);
      expect(reported).toBeGreaterThan(flips / 2);
    },
  );

  it('are reported by the node that opens without scanning files first, in the write-ahead log', async () => {
    const name = readdirSync(join(home, 'db')).find((candidate) => candidate.endsWith('.log')) ?? '';
    const length = readFileSync(join(home, 'db', name)).length;
    for (const offset of [4, 6, 100, Math.floor(length / 2), length - 3, length - 200]) {
      const target = copy();
      const path = join(target, 'db', name);
      const bytes = readFileSync(path);
      bytes[offset] = (bytes[offset] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      const witness = openFileWitness(join(target, 'witness'));
      const opening = openLevelStore(join(target, 'db'), { create: false }).then(async (store) => {
        try {
          await openEventLog({ store, crypto, clock: steppingClock(), sync: 'always', witness });
        } finally {
          await store.close();
        }
      });
      await expect(opening).rejects.toThrow(/corrupted/);
      witness.close();
    }
  });
});
