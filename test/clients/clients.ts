/** The clients that `scripts/install-clients.js` installed, and projects that are run with them. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterwards, removeFolder, temporaryFolder } from '../support/temporary.js';

export const CLIENTS = process.env['CHRONICLED_CLIENTS'] ?? join(homedir(), '.cache', 'chronicle-clients');
const PROJECTS = fileURLToPath(new URL('projects', import.meta.url));
const PROGRAM_MS_MAX = 300_000;

/** True if a file of the clients is installed; otherwise prints that its tests are skipped and how to install it. */
export function isInstalled(name: string, file: string, how = 'node scripts/install-clients.js'): boolean {
  if (existsSync(join(CLIENTS, file))) return true;
  process.stdout.write(`${name} is not installed here (${how}): its tests are skipped\n`);
  return false;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a client program until it exits, and prints its duration, because these are the steps of a first hour. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const started = performance.now();
  return new Promise((resolve) => {
    const own = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV'),
    );
    const path = [join(CLIENTS, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
    const child = execFile(
      program,
      args,
      { cwd, env: { ...own, PATH: path, ...env }, timeout: PROGRAM_MS_MAX, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => {
        const seconds = ((performance.now() - started) / 1_000).toFixed(1);
        process.stdout.write(`${[program.split('/').at(-1), ...args.slice(0, 2)].join(' ')}: ${seconds} s\n`);
        resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` });
      },
    );
    child.stdin?.end();
  });
}

/**
 * A copy of a project with the shared contracts, in a folder below the clients, so that it finds their packages.
 * `sources` is the folder of the contracts in the copy.
 */
export function projectOf(name: string, sources: string): string {
  const own = temporaryFolder().split('/').at(-1) ?? name;
  const folder = join(CLIENTS, 'runs', own);
  afterwards(() => removeFolder(folder));
  mkdirSync(dirname(join(folder, sources)), { recursive: true });
  cpSync(join(PROJECTS, name), folder, { recursive: true });
  cpSync(join(PROJECTS, 'contracts'), join(folder, sources), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  return folder;
}

/** Wraps the solc of the registry as a program that accepts foundry's arguments for the native compiler. */
export function compilerIn(folder: string): string {
  const file = join(folder, 'solc.cjs');
  writeFileSync(
    file,
    `#!/usr/bin/env node
const solc = require(${JSON.stringify(join(CLIENTS, 'node_modules', 'solc'))});
const version = solc.version().replace('Emscripten.clang', 'Linux.g++');
if (process.argv.includes('--version')) process.stdout.write('solc\\nVersion: ' + version + '\\n');
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')));
`,
  );
  chmodSync(file, 0o755);
  return file;
}
