/** The package as a user gets it: packed by npm from a copy of the sources, installed in an empty project. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onceInRun } from '../support/once-in-run.js';
import { temporaryFolder } from '../support/temporary.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Files that packing reads but does not pack. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'scripts/build.js',
  'scripts/build-stamp.js',
  'scripts/pack-native.js',
  'src',
];
/** Files that the build and packing create. */
const MADE = ['dist', 'native'];
const PROGRAM_MS_MAX = 300_000;

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program until it exits; never rejects. */
export function run(
  program: string,
  args: readonly string[],
  { cwd = root, env = {} }: RunOptions = {},
): Promise<Output> {
  return new Promise((resolve) => {
    // Otherwise the child takes itself for a worker of this test runner.
    const own = Object.fromEntries(
      Object.entries({ ...process.env, ...env }).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV'),
    );
    const child = execFile(
      program,
      args,
      { cwd, env: own, timeout: PROGRAM_MS_MAX, killSignal: 'SIGKILL' },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** A copy of the sources in which the package can be built and packed; the working copy is not touched. */
export function copyOfSources(): string {
  const copy = temporaryFolder();
  for (const name of [...SOURCES, ...manifest.files.filter((file) => !MADE.includes(file))]) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A file in `dist` from before the package is built, as if an earlier build had left it. */
export const OF_EARLIER_BUILD = 'dist/code/chunks/earlier-00000000.cjs';

/** Path of the tarball that `npm pack` makes, its `prepack` script included; one for all files of a run. */
export async function packed(): Promise<string> {
  const folder = await onceInRun('tarball', async (destination) => {
    const cwd = copyOfSources();
    mkdirSync(dirname(join(cwd, OF_EARLIER_BUILD)), { recursive: true });
    writeFileSync(join(cwd, OF_EARLIER_BUILD), '');
    const { code, stderr, stdout } = await run('npm', ['pack', '--pack-destination', destination], { cwd });
    if (code !== 0) throw new Error(`npm pack: exit code ${code}\n${stderr}${stdout}`);
  });
  const [name] = readdirSync(folder);
  if (name === undefined) throw new Error('npm pack writes a tarball');
  return join(folder, name);
}

export interface Installed {
  /** Folder of the project. */
  readonly project: string;
  /** Warnings of npm, except those about this machine or about packages with binaries. */
  readonly warnings: readonly string[];
}

/** An npm that asks before it runs install scripts lists such packages; ours never need their scripts. */
const OF_BINARIES =
  /^npm warn install-scripts( +(classic-level|secp256k1|protobufjs)@| \d+ packages? ha(s|ve) install scripts| Run |$)/;
const OF_MACHINE = /^npm warn Unknown (user|env|project) config/;

/** An empty project with only the tarball installed. */
export async function installed(tarball: string): Promise<Installed> {
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'somebody', private: true, type: 'module' }));
  const { code, stderr, stdout } = await run('npm', ['install', '--prefer-offline', tarball], {
    cwd: project,
  });
  if (code !== 0) throw new Error(`npm install: exit code ${code}\n${stderr}${stdout}`);
  return {
    project,
    warnings: `${stderr}${stdout}`
      .split('\n')
      .filter((line) => /warn/i.test(line) && !OF_BINARIES.test(line) && !OF_MACHINE.test(line)),
  };
}

/** Files below a folder, by their paths in it. */
export function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
