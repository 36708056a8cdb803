/** Stops a node when the process that started it has ended, so that no orphan stays behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process of the system. */
export interface SystemProcess {
  readonly parent: number;
  /** Words of its command line, or of its process title. */
  readonly command: readonly string[];
}

/** Polling interval in milliseconds: systems do not notify a child that its parent has ended. */
const LOOK_MS = 500;
/** Process id of init, the parent of orphans. */
const INIT = 1;
const PACKAGE_MANAGER = /(?:^|\/)(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:-cli|-\d[\d.]*)?(?:\.[cm]?js)?$/;
const SHELL = /(?:^|\/)(?:sh|bash|dash|ash|zsh|ksh)$/;

/**
 * The process to follow: the parent if `exitWithParent` is true, undefined if false. By default a package manager
 * that is the parent, or the parent of the parent shell. A user's shell, or a program run by a package manager, may
 * start a node in the background on purpose.
 */
export function followedProcess(
  exitWithParent: boolean | undefined,
  parent: number,
  find: (pid: number) => SystemProcess | undefined,
): number | undefined {
  if (exitWithParent !== undefined) return exitWithParent ? parent : undefined;
  if (parent === INIT) return undefined;
  const process = find(parent);
  if (process === undefined || isPackageManager(process)) return process && parent;
  const grandparent = SHELL.test(process.command[0] ?? '') ? find(process.parent) : undefined;
  return grandparent && isPackageManager(grandparent) ? process.parent : undefined;
}

/**
 * True if the program, or the script run by Node.js, is a package manager. npm's process title is `npm exec
 * chronicled`.
 */
function isPackageManager({ command }: SystemProcess): boolean {
  return command.slice(0, 2).some((word) => PACKAGE_MANAGER.test(word));
}

/**
 * True if the followed process has ended: then this process has another parent. A shell between the two may outlive a
 * killed package manager, or end before it: npm's `pretest` leaves its processes to `test`.
 */
export function hasEnded(
  followed: number,
  parent: number,
  currentParent: number,
  isRunning: (pid: number) => boolean,
): boolean {
  return followed === parent ? currentParent !== parent : !isRunning(followed);
}

/** Resolves when the process of `followedProcess` has ended; never if there is none, or after `stopped`. */
export function parentEnded(
  exitWithParent: boolean | undefined,
  stopped: AbortSignal,
): Promise<{ readonly kind: 'orphaned' }> {
  const parent = process.ppid;
  const followed = followedProcess(exitWithParent, parent, findProcess);
  return new Promise((resolve) => {
    if (followed === undefined) return;
    const timer = setInterval(() => {
      if (!hasEnded(followed, parent, process.ppid, isRunning)) return;
      clearInterval(timer);
      resolve({ kind: 'orphaned' });
    }, LOOK_MS).unref();
    stopped.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Reads a process from `/proc`, or from `ps` on systems without it; undefined if it is not found. */
function findProcess(pid: number): SystemProcess | undefined {
  try {
    if (process.platform !== 'linux') {
      const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
      const [parent, ...command] = text.trim().split(/\s+/);
      return { parent: Number(parent), command };
    }
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/) };
  } catch {
    return undefined;
  }
}
