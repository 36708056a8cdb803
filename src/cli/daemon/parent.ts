/** The process that started this one, with whose end a node ends that would otherwise be left behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process of the system. */
export interface SystemProcess {
  readonly parent: number;
  /** Words of its command line, or of the title that it gave itself. */
  readonly command: readonly string[];
}

/** Milliseconds between two looks: no system tells a child of its parent's end. */
const LOOK_MS = 500;
/** The process that adopts orphans. */
const INIT = 1;
const PACKAGE_MANAGER = /(?:^|\/)(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:-cli|-\d[\d.]*)?(?:\.[cm]?js)?$/;
const SHELL = /(?:^|\/)(?:sh|bash|dash|ash|zsh|ksh)$/;

/**
 * The process whose end ends the node: its parent where `exitWithParent` is true, and undefined where it is false. By
 * default a package manager that is the parent, or the parent of the shell that is. A shell of a user and the programs
 * that a package manager runs may leave a node behind on purpose.
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

/** The program, or the script that Node.js runs, is a package manager. npm calls itself `npm exec chronicled`. */
function isPackageManager({ command }: SystemProcess): boolean {
  return command.slice(0, 2).some((word) => PACKAGE_MANAGER.test(word));
}

/**
 * Tells the end of the followed process: an orphan gets another parent. A shell between the two may outlive a package
 * manager that was killed, and may end before it: `pretest` of npm leaves its processes to `test`.
 */
export function hasEnded(
  followed: number,
  parent: number,
  currentParent: number,
  isRunning: (pid: number) => boolean,
): boolean {
  return followed === parent ? currentParent !== parent : !isRunning(followed);
}

/** Resolves when the process has ended that `followedProcess` finds for this one; never where there is none. */
export function parentEnded(exitWithParent: boolean | undefined): Promise<{ readonly kind: 'orphaned' }> {
  const parent = process.ppid;
  const followed = followedProcess(exitWithParent, parent, findProcess);
  return new Promise((resolve) => {
    if (followed === undefined) return;
    const timer = setInterval(() => {
      if (!hasEnded(followed, parent, process.ppid, isRunning)) return;
      clearInterval(timer);
      resolve({ kind: 'orphaned' });
    }, LOOK_MS).unref();
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The process from `/proc`, or from `ps` where the system has no such folder; undefined when neither knows it. */
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
