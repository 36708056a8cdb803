/** The daemon as its users have it: a process of its own, found through its ready file. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ReadyFile {
  readonly pid: number;
  readonly height: string;
  readonly position: string;
  readonly endpoints: { readonly comet: string; readonly metrics: string };
}

export interface DaemonProcess {
  readonly home: string;
  readonly pid: number;
  readonly ready: ReadyFile;
  readonly endpoints: ReadyFile['endpoints'];
  /** Resolves when the process has ended, whoever ended it. */
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

/** What runs: `main.js` once it exists. */
const PROGRAM = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));
/** Characters of output kept of each process, from the end. */
const OUTPUT_KEPT = 20_000;

const folders = new Set<string>();
const running = new Set<number>();
process.once('exit', () => {
  for (const pid of running) process.kill(pid, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that goes away with this process at the latest. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-e2e-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/**
 * Starts `chronicled dev` on system-chosen ports and resolves when its ready file is there. Without a home it gets one
 * that goes away with this process. Rejects with DaemonDied when the process ends first.
 */
export function startDaemonProcess(
  options: { readonly home?: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<DaemonProcess> {
  const home = options.home ?? temporaryFolder();
  const folder = temporaryFolder();
  const file = join(folder, 'ready.json');
  return new Promise((resolve, reject) => {
    let output = '';
    let ended = false;
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
          if (!ended) child.kill(signal);
          return exited;
        },
        stderr: () => output,
      });
    });
    const args = [PROGRAM, 'dev', '--home', home, '--port-base', '0', '--ready-file', file, ...(options.args ?? [])];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk.toString()}`.slice(-OUTPUT_KEPT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    if (child.pid !== undefined) running.add(child.pid);
    const exited = new Promise<Exit>((done) => {
      child.once('close', (code, signal) => {
        ended = true;
        if (child.pid !== undefined) running.delete(child.pid);
        watcher.close();
        removeFolder(folder);
        done({ code, signal });
      });
    });
    child.once('error', reject);
    void exited.then((exit) => reject(new DaemonDied(exit, output)));
  });
}

/** The ready file, once it is there whole. */
function readReady(file: string): ReadyFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
