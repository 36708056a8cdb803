/** Branches of a node's chain, each in its own process (`dev --branch`). */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { refused, type Outcome } from '../../core/errors.js';
import type { ChainBranch, ChainBranches } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Logger } from '../../core/ports/logger.js';
import { asObject } from '../../core/text/json-object.js';
import { isEthereumLocal } from '../../node/proxied-faces.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../store/files/temporary-folder.js';

interface Running {
  readonly child: ChildProcess;
  readonly folder: TemporaryFolder;
  readonly ended: Promise<void>;
  /** Undefined until the branch's node is ready. */
  branch: ChainBranch | undefined;
}

/**
 * The branches of one node. Their processes stop with it (`--exit-with-parent`) and get its command line (`words`);
 * `--branch` overrides options that a branch does not support.
 */
export class ChildBranches implements ChainBranches {
  readonly #options: DaemonOptions;
  readonly #words: readonly string[];
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();
  #lastId = 0;

  constructor(options: DaemonOptions, words: readonly string[], log: Logger) {
    this.#options = options;
    this.#words = words;
    this.#log = log;
  }

  async begin(height: bigint): Promise<Outcome<ChainBranch>> {
    if (!isEthereumLocal(this.#options))
      return refused('branches begin only where the Ethereum JSON-RPC listens on loopback alone');
    if (this.#options.ephemeral) return refused('the chain lies in a temporary folder: branches begin from a home');
    const { branches: maximum } = FIXED_LIMITS;
    if (this.#running.size >= maximum)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'branches', maximum } };
    this.#lastId += 1;
    const id = String(this.#lastId);
    const running = this.#start(id, height);
    const problem = await readyOf(running);
    const endpoints = problem === undefined ? endpointsIn(readyPath(running.folder)) : undefined;
    // Remove the ready file now, because it contains keys.
    running.folder.remove();
    if (endpoints === undefined) {
      running.child.kill('SIGKILL');
      await running.ended;
      this.#log.error('a branch did not begin', { height: String(height), reason: problem ?? 'no ready file' });
      return refused(reasonOf(problem) ?? 'the branch did not begin: the output of the node says why');
    }
    running.branch = { id, height, endpoints };
    return { ok: true, value: running.branch };
  }

  list(): readonly ChainBranch[] {
    return [...this.#running.values()].flatMap(({ branch }) => (branch === undefined ? [] : [branch]));
  }

  async end(id: string): Promise<boolean> {
    const running = this.#running.get(id);
    if (running === undefined) return false;
    running.child.kill('SIGTERM');
    await running.ended;
    return true;
  }

  #start(id: string, height: bigint): Running {
    const folder = makeTemporaryFolder('chronicle-ready-');
    const [program = ''] = process.argv.slice(1);
    const own = ['--home', this.#options.home, '--branch', String(height), '--port-base', '0', '--quiet'];
    const words = [...this.#words, ...own, '--ready-file', readyPath(folder), '--exit-with-parent=true'];
    const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<void>((resolve) => {
      const end = (): void => {
        folder.remove();
        this.#running.delete(id);
        resolve();
      };
      child.once('error', end);
      child.once('close', end);
    });
    const running: Running = { child, folder, ended, branch: undefined };
    this.#running.set(id, running);
    return running;
  }
}

function readyPath({ path }: TemporaryFolder): string {
  return join(path, 'ready.json');
}

/** Resolves with undefined when a branch's node is ready, or with its last output if it failed. */
function readyOf({ child }: Running): Promise<string | undefined> {
  return new Promise((resolve) => {
    let written = '';
    const timer = setTimeout(() => resolve('it takes too long'), FIXED_LIMITS.branchStartMs);
    const done = (problem: string | undefined): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.stderr?.on('data', (bytes: Buffer) => {
      written = `${written}${bytes.toString()}`.slice(-FIXED_LIMITS.branchOutput);
    });
    child.stdout?.on('data', (bytes: Buffer) => {
      if (bytes.toString().includes('Ready in')) done(undefined);
    });
    child.once('error', ({ message }) => done(message));
    child.once('close', () => done(written));
  });
}

/**
 * The part of a branch's error output that is safe for clients: errors about `--branch` contain no paths and no
 * secrets.
 */
function reasonOf(output: string | undefined): string | undefined {
  return /^E_CONFIG: --branch: (?!there is no chain)(.{1,300})$/m.exec(output ?? '')?.[1];
}

function endpointsIn(path: string): ChainBranch['endpoints'] | undefined {
  const endpoints = asObject(asObject(JSON.parse(readFileSync(path, 'utf8')))?.['endpoints']);
  if (endpoints === undefined) return undefined;
  const texts = Object.entries(endpoints).flatMap(([name, url]) => (typeof url === 'string' ? [[name, url]] : []));
  return Object.fromEntries(texts) as ChainBranch['endpoints'];
}
