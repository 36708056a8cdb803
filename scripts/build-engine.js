// Builds engine/engine.wasm, its manifest engine/engine.json and the licences of its crates, engine/LICENSES.txt
// (docs/decisions/0008-evm-engine.md).
//
//   node scripts/build-engine.js             build, write the three files
//   node scripts/build-engine.js --compare   build into a temporary folder and compare with the committed bytes; exit
//                                            status 0 equal, 1 different, 3 skipped because the toolchain is another
//   node scripts/build-engine.js --hashes    print the hashes of the present files, which a test compares with the
//                                            manifest
//
// CARGO and RUSTC name the programs (Debian's packages: CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc). CARGO_TARGET_DIR
// may name a folder to keep what was compiled.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineLicences } from './engine-licences.js';

const engine = resolve(fileURLToPath(new URL('../engine', import.meta.url)));
const cargo = process.env.CARGO ?? 'cargo';
const rustc = process.env.RUSTC ?? 'rustc';
const linker = process.env.WASM_LD ?? 'wasm-ld';
const TARGET = 'wasm32-unknown-unknown';
const FLAGS = ['build', '--release', '--locked', '--target', TARGET, '-Z', 'build-std=std,panic_abort'];

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const run = (program, args) => execFileSync(program, args, { encoding: 'utf8' }).trim();
const manifest = () => JSON.parse(readFileSync(join(engine, 'engine.json'), 'utf8'));

/** One hash over names and contents of all inputs of the build, and its flags. */
function hashSources() {
  const sources = readdirSync(join(engine, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(engine, join(parentPath, name)))
    .toSorted();
  const hash = createHash('sha256');
  for (const name of ['Cargo.toml', 'Cargo.lock', ...sources]) {
    const bytes = readFileSync(join(engine, name));
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.update(FLAGS.join('\0')).digest('hex');
}

const toolchain = () => ({ rustc: run(rustc, ['-vV']).split('\n'), linker: run(linker, ['--version']) });

/** The sources of Rust's standard library. */
const standardLibrary = () => join(run(rustc, ['--print', 'sysroot']), 'lib', 'rustlib', 'src', 'rust');
const environment = { ...process.env, RUSTC: rustc, RUSTC_BOOTSTRAP: '1' };

/** Paths of this machine, replaced so that the bytes are the same everywhere. */
function remappings() {
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const std = standardLibrary();
  const pairs = [
    [join(home, 'registry', 'src'), '/cargo'],
    [engine, '/engine'],
    [std, '/rust'],
  ];
  if (existsSync(std)) pairs.push([realpathSync(std), '/rust']);
  return pairs.map(([from, to]) => `--remap-path-prefix=${from}=${to}`).join(' ');
}

/** Compiles the engine; returns the path of the module. */
function compile(folder) {
  execFileSync(cargo, FLAGS, {
    cwd: engine,
    stdio: 'inherit',
    env: {
      ...environment,
      RUSTFLAGS: remappings(),
      CARGO_TARGET_DIR: folder,
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
    },
  });
  return join(folder, TARGET, 'release', 'chronicle_engine.wasm');
}

function withFolder(use) {
  const kept = process.env.CARGO_TARGET_DIR;
  if (kept !== undefined) return use(resolve(kept));
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build() {
  const wasm = withFolder((folder) => readFileSync(compile(folder)));
  const licences = engineLicences(engine, standardLibrary(), { cargo, target: TARGET, env: environment });
  writeFileSync(join(engine, 'engine.wasm'), wasm);
  writeFileSync(join(engine, 'LICENSES.txt'), licences);
  const content = {
    wasm: { sha256: sha256(wasm), bytes: wasm.length },
    sources: { sha256: hashSources() },
    licences: { sha256: sha256(licences) },
    ...toolchain(),
  };
  writeFileSync(join(engine, 'engine.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

function compare() {
  const recorded = manifest();
  let here;
  try {
    here = toolchain();
  } catch (error) {
    console.log(`skipped: ${error.message}`);
    return 3;
  }
  if (here.rustc.join('\n') !== recorded.rustc.join('\n') || here.linker !== recorded.linker) {
    console.log(
      `skipped: ${here.rustc[0]} with ${here.linker} instead of ${recorded.rustc[0]} with ${recorded.linker}`,
    );
    return 3;
  }
  const built = withFolder((folder) => sha256(readFileSync(compile(folder))));
  console.log(`built ${built}, committed ${recorded.wasm.sha256}`);
  return built === recorded.wasm.sha256 ? 0 : 1;
}

const mode = process.argv[2];
if (mode === '--hashes') {
  const hashOf = (name) => sha256(readFileSync(join(engine, name)));
  console.log(
    JSON.stringify({ wasm: hashOf('engine.wasm'), sources: hashSources(), licences: hashOf('LICENSES.txt') }),
  );
} else if (mode === '--compare') {
  process.exitCode = compare();
} else {
  build();
}
