/** The daemon as a user runs it: a process of its own, found through its ready file. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFailed } from 'vitest';
import { ownEnvironment } from './own-environment.js';
import { daemonFolder, isGroupThere, killGroup } from './run-folder.js';
import { afterwards, isTestRunning, removeFolder, temporaryFolder } from './temporary.js';
import { validateAnswers } from './valid-answers.js';

export { removeFolder, temporaryFolder } from './temporary.js';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ReadyFile {
  readonly pid: number;
  readonly height: string;
  readonly position: string;
  readonly endpoints: {
    readonly comet: string;
    readonly metrics: string;
    /** Address of the ABCI face, with `abci` alone. */
    readonly abci?: string;
    readonly eth_http?: string;
    readonly eth_ws?: string;
    readonly grpc?: string;
    readonly rest?: string;
    readonly rest_alias?: string;
  };
  /** The second chain, with `dev --ibc` alone. */
  readonly ibc?: {
    readonly chain_id: string;
    readonly endpoints: ReadyFile['endpoints'];
    readonly channel_id?: string;
    readonly counterparty_channel_id?: string;
  };
}

export interface DaemonProcess {
  readonly home: string;
  readonly pid: number;
  readonly ready: ReadyFile;
  readonly endpoints: ReadyFile['endpoints'];
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<Exit>;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  stderr(): string;
}

/** The process ended before it was ready. */
export class DaemonDied extends Error {
  override readonly name = 'DaemonDied';

  constructor(
    readonly exit: Exit,
    readonly stderr: string,
  ) {
    super(`the daemon ended before it was ready (code ${exit.code}, signal ${exit.signal}): ${stderr}`);
  }
}

export interface DaemonStart {
  readonly home?: string;
  readonly command?: 'dev' | 'start' | 'abci';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words before the program; this Node by default. */
  readonly launch?: readonly string[];
  /** Another build's `main.js`. */
  readonly program?: string;
}

export const PROGRAM = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));
/** Characters of output kept of each process, from the end. */
const OUTPUT_KEPT = 20_000;

/**
 * Starts `chronicled dev` (or another program or command) on system-chosen ports and resolves when its ready file is
 * there. Without a home it gets a temporary one. Rejects with DaemonDied when the process ends first. Remaining
 * processes are killed after the test; the output of one that ended by itself is printed when the test fails. Answers
 * of its Ethereum JSON-RPC are held to the published document and to what `rpc_discover` says.
 */
export function startDaemonProcess(options: DaemonStart = {}): Promise<DaemonProcess> {
  validateAnswers();
  const home = options.home ?? temporaryFolder();
  const folder = temporaryFolder();
  const file = join(folder, 'ready.json');
  return new Promise((resolve, reject) => {
    let output = '';
    let ended = false;
    let isEnding = false;
    let died = '';
    const watcher = watch(folder, () => {
      const ready = readReady(file);
      if (ready === undefined || ended) return;
      watcher.close();
      resolve({
        home,
        pid: ready.pid,
        ready,
        endpoints: ready.endpoints,
        exited,
        kill(signal) {
          isEnding = true;
          if (!ended && child.pid !== undefined) process.kill(-child.pid, signal);
          return exited;
        },
        stderr: () => output,
      });
    });
    const [program = process.execPath, ...before] = options.launch ?? [];
    const args = [
      ...before,
      options.program ?? PROGRAM,
      options.command ?? 'dev',
      '--home',
      home,
      '--port-base',
      '0',
      '--ready-file',
      file,
      ...(options.args ?? []),
    ];
    // A process group of its own, so that its children can be ended with it.
    const child = spawn(program, args, {
      env: ownEnvironment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk.toString()}`.slice(-OUTPUT_KEPT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const exited = new Promise<Exit>((done) => {
      child.once('close', (code, signal) => {
        ended = true;
        if (!isEnding) died = `daemon ${child.pid} ended by itself (code ${code}, signal ${signal}): ${output}\n`;
        watcher.close();
        removeFolder(folder);
        done({ code, signal });
      });
    });
    if (child.pid !== undefined) endAfterwards(child.pid, exited);
    afterwards(() => void (isEnding = true));
    if (isTestRunning()) onTestFailed(() => void process.stderr.write(died));
    child.once('error', reject);
    void exited.then((exit) => reject(new DaemonDied(exit, output)));
  });
}

/** Kills a process group after the test; if the test never ends, the end of the run kills it. */
export function endAfterwards(group: number, exited: Promise<Exit>): void {
  const listed = join(daemonFolder(), String(group));
  mkdirSync(daemonFolder(), { recursive: true });
  writeFileSync(listed, '');
  let isGone = false;
  void exited.then(() => {
    isGone = !isGroupThere(group);
    rmSync(listed, { force: true });
  });
  afterwards(async () => {
    // The system may have given the number of a group that has ended to another one meanwhile.
    if (!isGone) killGroup(group);
    await exited;
  });
}

/** The ready file, once it is complete. */
function readReady(file: string): ReadyFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
