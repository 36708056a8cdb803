/** Recordings of real nodes: chains, answers of every face, transactions (`recordings.br` of the fixtures). */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const fixture = join(root, 'test', 'fixtures', 'recordings.br');

/** True where the recordings are in the checkout; without them tests that need them are skipped. */
export const hasGolden = existsSync(fixture);
if (!hasGolden) process.stderr.write('no test/fixtures/recordings.br: comparisons with recorded nodes are skipped\n');

const cache = join(root, 'node_modules', '.cache');
const folder = hasGolden ? unpacked(readFileSync(fixture)) : cache;

interface Packed {
  readonly name: string;
  readonly bytes: number;
}

/** Unpacks once for all tests: beside its place and then by rename, because many processes come at once. */
function unpacked(packed: Uint8Array): string {
  const digest = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const place = join(cache, `chronicle-recordings-${digest}`);
  if (existsSync(place)) return place;
  const temporary = join(cache, `recordings-${randomUUID()}`);
  mkdirSync(temporary, { recursive: true });
  try {
    const all = brotliDecompressSync(packed);
    let offset = 4 + all.readUInt32BE(0);
    const list: readonly Packed[] = JSON.parse(all.toString('utf8', 4, offset));
    for (const { name, bytes } of list) {
      mkdirSync(dirname(join(temporary, name)), { recursive: true });
      writeFileSync(join(temporary, name), all.subarray(offset, offset + bytes));
      offset += bytes;
    }
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

/** Path of a recorded file, for example `goldenPath('chain-a/blocks.jsonl')`. */
export function goldenPath(name: string): string {
  return join(folder, name);
}

/** Parsed lines of a recorded JSONL file; the caller states the shape that it relies on. */
export function goldenLines<Line>(name: string): Line[] {
  return readFileSync(goldenPath(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
