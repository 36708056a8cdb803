/** Finds and runs Solidity compilers on this machine; never downloads one. */
import { spawn } from 'node:child_process';
import { access, constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { childEnvironment, type Environment } from '../../runtime/host/child-environment.js';

export type Compilation =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: 'compiler_error' | 'compiler_not_found'; readonly message: string };

/** Runs a compiler version with standard JSON input. */
export type Compile = (version: string, input: object) => Promise<Compilation>;

/** Where compilers are searched, for the error text: the PATH, and the caches of svm (foundry) and hardhat. */
const PLACES = 'PATH, those of svm (~/.svm, ~/.local/share/svm) and of hardhat (~/.cache/hardhat-nodejs)';

/** Creates the function that runs an installed compiler by version. */
export function machineCompilers(env: Environment = process.env, home: string = homedir()): Compile {
  const versions = new Map<string, string>();
  const own = childEnvironment(env);
  return async (wanted, input) => {
    for (const file of await candidates(env, home)) {
      const named = /[0-9]+\.[0-9]+\.[0-9]+/.exec(basename(file))?.[0];
      if (named !== undefined && named !== numberOf(wanted)) continue;
      const version = versions.get(file) ?? (await versionOf(file, own));
      if (version === undefined) continue;
      versions.set(file, version);
      if (isSame(version, wanted)) return run(file, input, own);
    }
    return {
      ok: false,
      code: 'compiler_not_found',
      message: `solc ${wanted} is not on this machine (${PLACES}); nothing is downloaded: install it, or send a build-info`,
    };
  };
}

/** Executable files that may be compilers, in order of preference. */
async function candidates(env: Environment, home: string): Promise<readonly string[]> {
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
  const cache = env['XDG_CACHE_HOME'] ?? join(home, '.cache');
  const hardhat = join(cache, 'hardhat-nodejs', 'compilers-v2');
  const files = [
    ...path.map((folder) => join(folder, 'solc')),
    ...(await inFolders([join(home, '.svm'), join(data, 'svm'), hardhat])),
  ];
  const found: string[] = [];
  for (const file of files) {
    if (found.length >= FIXED_LIMITS.compilersTried) break;
    if (await isExecutable(file)) found.push(file);
  }
  return found;
}

/** Files named `solc-...` in subfolders of `folders`. */
async function inFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const inner of await namesIn(folder))
      for (const name of await namesIn(join(folder, inner)))
        if (name.startsWith('solc-')) found.push(join(folder, inner, name));
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Version of a compiler, such as `0.8.30+commit.73712a01`; undefined for another program. */
async function versionOf(file: string, env: Environment): Promise<string | undefined> {
  const ended = await execute(file, ['--version'], '', tmpdir(), env);
  const text = ended.ok ? ended.stdout : '';
  return /Version: ([0-9]+\.[0-9]+\.[0-9]+\S*\+commit\.[0-9a-f]+)/.exec(text)?.[1];
}

function numberOf(version: string): string {
  return /^[0-9]+\.[0-9]+\.[0-9]+/.exec(version)?.[0] ?? version;
}

/** Compares version numbers, and also commits if both are known. */
function isSame(has: string, wanted: string): boolean {
  const commit = (version: string): string | undefined => /\+commit\.([0-9a-f]+)/.exec(version)?.[1];
  const [own, other] = [commit(has), commit(wanted)];
  return numberOf(has) === numberOf(wanted) && (other === undefined || own?.slice(0, 8) === other.slice(0, 8));
}

/** Compiles in an empty folder, so that an import cannot read files of this machine. */
async function run(file: string, input: object, env: Environment): Promise<Compilation> {
  const folder = await mkdtemp(join(tmpdir(), 'chronicle-solc-'));
  try {
    const ended = await execute(file, ['--standard-json'], JSON.stringify(input), folder, env);
    if (!ended.ok) return { ok: false, code: 'compiler_error', message: ended.reason };
    return { ok: true, output: JSON.parse(ended.stdout) };
  } catch (error) {
    return { ok: false, code: 'compiler_error', message: error instanceof Error ? error.message : 'no JSON' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Ended = { readonly ok: true; readonly stdout: string } | { readonly ok: false; readonly reason: string };

function execute(file: string, words: readonly string[], input: string, cwd: string, env: Environment): Promise<Ended> {
  const { compilerMs, compilerOutputBytes } = FIXED_LIMITS;
  return new Promise((resolve) => {
    const child = spawn(file, words, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'], timeout: compilerMs });
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.once('error', (error) => resolve({ ok: false, reason: error.message }));
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > compilerOutputBytes) child.kill();
    });
    // A child of the killed compiler may keep the output pipe open.
    child.once('exit', (_, signal) => void (signal !== null && child.stdout.destroy()));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve({ ok: true, stdout: Buffer.concat(pieces).toString() });
      const limit =
        bytes > compilerOutputBytes
          ? `limit compilerOutputBytes (${compilerOutputBytes}) exceeded`
          : `limit compilerMs (${compilerMs}) exceeded`;
      resolve({ ok: false, reason: signal === null ? `the compiler ended with ${code}` : limit });
    });
    // Ignore write errors: a compiler that exits early closes its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
