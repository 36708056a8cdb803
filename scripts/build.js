/**
 * Builds `dist` from `src`: one file for each entry, and chunks for the code that entries share or load later
 * (docs/decisions/0007-modules-at-start.md). Types are checked by `npm run check`, not here.
 *
 *     node scripts/build.js            builds the program unless it is up to date; removes files of other
 *                                      builds in `dist/code` after a day
 *     node scripts/build.js --package  builds always, with the declarations of the public API; removes files of
 *                                      other builds at once
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsDigest, isBuilt, writeStamp } from './build-stamp.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Licence texts of bundled packages that ship no licence file. */
const LICENCES = new Map([
  [
    '@bufbuild/protobuf',
    'Copyright 2021-2025 Buf Technologies, Inc.\nCopyright 2008 Google Inc.\n\nThe Apache License 2.0 is the file LICENSE of this package, the BSD 3-Clause License is in its file NOTICE.',
  ],
]);
const dist = join(root, 'dist');
/** The libraries that the package exports, as paths in `src`. */
const LIBRARIES = ['index', 'testing/index'];
/** The command, the libraries and the threads. `src/runtime/host/package-root.ts` finds the files of the threads. */
const THREADS = ['executor', 'pool', 'recovery', 'indexer'].map((name) => `runtime/workers/${name}`);
/** Path of the command in `dist`. Images, unit files and scripts name it, so it stays when its source moves. */
const COMMAND = 'node/main';
const ENTRIES = [COMMAND, ...LIBRARIES, ...THREADS];
/** Packages that are not bundled: they need files beside them, or only some nodes load them. */
const PACKAGES = /^(classic-level\/binding\.js|secp256k1|uWebSockets\.js|pino|prom-client|@grpc\/grpc-js|fast-check)$/;

/**
 * Age at which files of other builds are removed. A node that runs during a build loads some of its files later.
 */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Inside a bundle, the path from classic-level's folder to its binding is wrong. */
const BINDING = {
  name: 'binding',
  resolveId: (id, importer) =>
    id === './binding' && importer?.includes('/classic-level/')
      ? { id: 'classic-level/binding.js', external: true }
      : null,
};

const isPackage = process.argv.includes('--package');
const inputs = inputsDigest(root);
if (isPackage || !isBuilt(root, inputs)) await build();

async function build() {
  rmSync(join(dist, 'built.json'), { force: true });
  rmSync(join(dist, 'cache'), { recursive: true, force: true });
  const code = await bundle(ENTRIES, {
    entryFileNames: 'code/[name]-[hash].cjs',
    chunkFileNames: 'code/chunks/[name]-[hash].cjs',
  });
  const launcher = await bundle(['node/launch/launch'], { entryFileNames: 'launch.cjs' });
  const written = [...code, ...launcher].map(({ fileName }) => fileName);
  const { files, chunks } = await pages();
  written.push(...files);
  for (const chunk of code.filter(({ isEntry }) => isEntry)) written.push(starter(chunk));
  written.push(licences([...code, ...chunks]));
  if (isPackage) {
    written.push(...declarations());
    removeOthers(dist, new Set(written), Infinity);
  } else {
    removeOthers(join(dist, 'code'), new Set(written), Date.now() - DAY_MS);
    if (process.exitCode === undefined) writeStamp(root, inputs, written);
  }
}

/**
 * Bundles our modules and the packages that they use as CommonJS, because V8 caches the compiled code of such scripts
 * on every supported Node.js.
 * @param {readonly string[]} entries paths in `src`, and `COMMAND`
 * @returns {Promise<readonly import('rolldown').OutputChunk[]>} the written files, by paths in `dist`
 */
async function bundle(entries, names) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    input: Object.fromEntries(entries.map((entry) => [entry, sourceOf(entry)])),
    external: PACKAGES,
    plugins: [BINDING],
    // Shared modules stay out of the scripts of entries, so that an entry exports exactly what its module exports.
    preserveEntrySignatures: 'allow-extension',
    // Problems are reported and fail the build, but the output is still written, as tsc does.
    shimMissingExports: true,
    // Without this, a comment above each module holds its path, which may be a path of this machine.
    experimental: { attachDebugInfo: 'none' },
    onwarn({ code, message }) {
      process.stderr.write(`${message}\n`);
      process.exitCode = 1;
    },
  });
  const { output } = await build.write({
    dir: dist,
    format: 'cjs',
    dynamicImportInCjs: false,
    comments: false,
    ...names,
  });
  await build.close();
  return output;
}

/** Source file of an entry. @param {string} entry */
function sourceOf(entry) {
  return join(root, 'src', `${entry === COMMAND ? 'cli/main' : entry}.ts`);
}

/**
 * Builds the pages for browsers: one script for each page, and the files that are served unchanged.
 * @returns {Promise<{ readonly files: readonly string[], readonly chunks: readonly import('rolldown').OutputChunk[] }>}
 *   paths in `dist`, and what the scripts are made of
 */
async function pages() {
  const { rolldown } = await import('rolldown');
  const folder = join(root, 'src', 'adapters', 'pages', 'browser');
  const plain = readdirSync(folder).filter((name) => /\.(html|css)$/.test(name));
  mkdirSync(join(dist, 'pages'), { recursive: true });
  for (const name of plain) cpSync(join(folder, name), join(dist, 'pages', name));
  const chunks = [];
  for (const [name, source] of [
    ['app', 'app.tsx'],
    ['openapi', 'openapi.ts'],
    ['metrics', 'metrics.ts'],
  ]) {
    const build = await rolldown({
      cwd: root,
      platform: 'browser',
      tsconfig: join(folder, 'tsconfig.json'),
      input: { [name]: join(folder, source) },
      experimental: { attachDebugInfo: 'none' },
    });
    const { output } = await build.write({
      dir: join(dist, 'pages'),
      format: 'es',
      comments: false,
      minify: true,
      codeSplitting: false,
      entryFileNames: '[name].js',
    });
    chunks.push(...output);
    await build.close();
  }
  return { files: [...plain, 'app.js', 'openapi.js', 'metrics.js'].map((name) => join('pages', name)), chunks };
}

/**
 * Writes the file that starts an entry: it loads the script that this build made of the entry.
 * @returns {string} path in `dist`
 */
function starter({ name, fileName, exports }) {
  const up = '../'.repeat(name.split('/').length - 1) || './';
  const launch = (folder) =>
    `require('${up}launch.cjs').launch(${folder}, '${LIBRARIES.includes(name) ? name.replace('/', '-') : name.split('/').at(-1)}', '${fileName.slice('code/'.length)}');\n`;
  // An ES module starts later than a script, and threads do not need one.
  const isThread = name.startsWith('runtime/workers/');
  const path = `${name}${isThread ? '.cjs' : '.js'}`;
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(
    join(dist, path),
    isThread
      ? launch(`require('node:path').join(__dirname, '${up}')`)
      : `${name === COMMAND ? '#!/usr/bin/env node\n' : ''}import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
${LIBRARIES.includes(name) ? `export const { ${exports.join(', ')} } = ` : ''}${launch(`fileURLToPath(new URL('${up}', import.meta.url))`)}`,
  );
  return path;
}

/**
 * Collects the licences of the bundled packages, and of the package that `scripts/pack-native.js` packs beside them.
 * @returns {string} path in `dist`
 */
function licences(chunks) {
  const folders = new Set(
    chunks
      .flatMap(({ moduleIds = [] }) => moduleIds)
      .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const texts = [...folders, join(root, 'node_modules', 'uWebSockets.js')]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? LICENCES.get(name) : readFileSync(join(folder, file), 'utf8').trim();
      if (text === undefined) throw new Error(`${name} has no file with its licence`);
      return `${name} ${version} (${license})\n\n${text}\n`;
    });
  writeFileSync(join(dist, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
  return 'LICENSES.txt';
}

/**
 * Keeps the declarations of the public API and removes the others, which the compiler writes too.
 * @returns {string[]} paths in `dist`
 */
function declarations() {
  const everything = mkdtempSync(join(tmpdir(), 'chronicle-types-'));
  try {
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
        '-p',
        join(root, 'tsconfig.types.json'),
        '--noCheck',
        '--singleThreaded',
        '--outDir',
        everything,
      ],
      // The compiler is a Go program with a short run; garbage collection would take half of it.
      { stdio: 'inherit', env: { ...process.env, GOGC: 'off' } },
    );
    const reached = new Set(LIBRARIES.map((name) => `${name}.d.ts`));
    for (const file of reached) {
      const text = readFileSync(join(everything, file), 'utf8');
      for (const [, name] of text.matchAll(/ from '(\.[^']+)\.js'/g)) reached.add(`${join(dirname(file), name)}.d.ts`);
      mkdirSync(dirname(join(dist, file)), { recursive: true });
      cpSync(join(everything, file), join(dist, file));
    }
    return [...reached];
  } finally {
    rmSync(everything, { recursive: true, force: true });
  }
}

/**
 * Removes files that were last written before the given time.
 * @param {string} folder in `dist`
 * @param {ReadonlySet<string>} kept paths in `dist`
 * @param {number} since milliseconds
 */
function removeOthers(folder, kept, since) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.slice(dist.length + 1)) && statSync(path).mtimeMs < since) rmSync(path);
  }
}
