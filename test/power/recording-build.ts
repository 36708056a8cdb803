import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIXED_LIMITS } from '../../src/core/limits/limits.js';
import { temporaryFolder } from '../support/temporary.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Files besides `dist` that the program reads. */
const BESIDE = ['node_modules', 'engine', 'native', 'proto', 'docs', 'package.json'];
/** Length at which a log is switched: small, so that short runs have many switches, and pictures are small. */
const WRITE_BUFFER_BYTES = 128 * 1024;

/** A copy of the built program with short write-ahead logs. Returns its `main.js`. */
export function recordingBuild(): string {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  const present = new Set(readdirSync(ROOT));
  for (const name of BESIDE) if (present.has(name)) symlinkSync(join(ROOT, name), join(folder, name));
  const limit = /(writeBufferBytes: )(\d+)/;
  let changed = 0;
  for (const name of readdirSync(join(folder, 'dist', 'code'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.cjs')) continue;
    const file = join(folder, 'dist', 'code', name);
    const code = readFileSync(file, 'latin1');
    if (Number(limit.exec(code)?.[2]) !== FIXED_LIMITS.writeBufferBytes) continue;
    writeFileSync(file, code.replace(limit, `$1${WRITE_BUFFER_BYTES}`), 'latin1');
    changed += 1;
  }
  if (changed === 0) throw new Error('the build has no limit on the bytes of a write buffer: build it first');
  return join(folder, 'dist', 'node', 'main.js');
}
