import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { openLevelStore } from '../../../src/store/leveldb/level-store.js';
import { openFileWitness } from '../../../src/store/log/witness.js';
import { seededRandom } from '../../support/faulty-store.js';
import { removeFolder } from '../../support/temporary.js';
import { copyOf, examine, logical, smallHome } from '../small-home.js';
import { crypto, steppingClock } from '../support.js';

/** How many bits are flipped, one at a time; `every` takes one bit of every byte (scripts/flip-bytes.js). */
const COUNT = process.env['CHRONICLED_FLIPS'] ?? '500';
const EVERY = COUNT === 'every';
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? 20_251_121);

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

describe('single flipped bits in the files of a small home', () => {
  let home: string;
  let healthy: string;

  beforeAll(async () => {
    ({ home, healthy } = await smallHome());
  });

  it('affect a home that has tables and a write-ahead log, so that both are tried', () => {
    const names = readdirSync(join(home, 'db'));
    expect(names.some((name) => name.endsWith('.ldb'))).toBe(true);
    expect(names.some((name) => name.endsWith('.log'))).toBe(true);
  });

  it(
    `are reported, or change nothing that can be read (${COUNT} flips, seed ${SEED})`,
    { timeout: 240_000 + (EVERY ? 4 * 3_600_000 : 400 * Number(COUNT)) },
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
        const target = copyOf(home);
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

  it('are reported in the write-ahead log by a node that opens without scanning files first', async () => {
    const name = readdirSync(join(home, 'db')).find((candidate) => candidate.endsWith('.log')) ?? '';
    const length = readFileSync(join(home, 'db', name)).length;
    for (const offset of [4, 6, 100, Math.floor(length / 2), length - 3, length - 200]) {
      const target = copyOf(home);
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
