/**
 * Packs recordings of real nodes into a test fixture: `node scripts/pack-recordings.js <folder>`. The fixture is
 * brotli-compressed: the length of a list (4 bytes), the list of names and sizes as JSON, and the files in order.
 * `test/support/golden.ts` unpacks it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder with the recordings');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => statSync(join(folder, name)).isFile())
  .sort();
const files = names.map((name) => readFileSync(join(folder, name)));
const list = Buffer.from(JSON.stringify(names.map((name, index) => ({ name, bytes: files[index].length }))));
const length = Buffer.alloc(4);
length.writeUInt32BE(list.length);
const packed = brotliCompressSync(Buffer.concat([length, list, ...files]), {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
});
writeFileSync(fileURLToPath(new URL('../test/fixtures/recordings.br', import.meta.url)), packed);
process.stdout.write(`${names.length} files, ${packed.length} bytes\n`);
