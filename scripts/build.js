/**
 * Builds `dist` from `src`: one file for each entry, and chunks for what entries share or load when they need it
 * (docs/decisions/0007-modules-at-start.md). Types are checked by `npm run check`, not here.
 *
 *     node scripts/build.js            what runs
 *     node scripts/build.js --package  also the declarations of the public API; what other builds left is removed
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** The command, the library and the threads, by their path in `src`; each thread's is found by `src/node/package-root.ts`. */
const ENTRIES = ['node/main', 'index', 'node/workers/executor', 'node/workers/pool'];

const written = await bundle();
if (process.argv.includes('--package')) {
  written.push(...declarations());
  removeOthers(new Set(written));
}

/** @returns {Promise<string[]>} paths in `dist` */
async function bundle() {
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, 'src', `${entry}.ts`)])),
    external: (id) => !id.startsWith('.') && !id.startsWith(root),
    // Like the compiler: what is wrong is said and fails the build, what it means is written all the same.
    shimMissingExports: true,
    onwarn({ message }) {
      process.stderr.write(`${message}\n`);
      process.exitCode = 1;
    },
  });
  const { output } = await build.write({ dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

/**
 * Declarations that the public API consists of; the compiler writes those of everything behind it as well.
 * @returns {string[]} paths in `dist`
 */
function declarations() {
  const everything = mkdtempSync(join(tmpdir(), 'chronicle-types-'));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(root, 'tsconfig.types.json'), '--outDir', everything], { stdio: 'inherit' });
    const reached = new Set(['index.d.ts']);
    for (const file of reached) {
      const text = readFileSync(join(everything, file), 'utf8');
      for (const [, name] of text.matchAll(/ from '(\.[^']+)\.js'/g)) reached.add(`${join(dirname(file), name)}.d.ts`);
      cpSync(join(everything, file), join(dist, file));
    }
    return [...reached];
  } finally {
    rmSync(everything, { recursive: true, force: true });
  }
}

/** @param {ReadonlySet<string>} kept paths in `dist` */
function removeOthers(kept) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.slice(dist.length + 1))) rmSync(path);
  }
}
