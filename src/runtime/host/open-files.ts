import { readdirSync, readFileSync } from 'node:fs';

/**
 * Limit and current number of open files of this process (proc_pid_limits(5), proc_pid_fd(5)). Undefined where /proc is
 * absent or there is no limit. Node.js raises its limit to the hard limit at start.
 */
export function openFiles(): { readonly limit: number; readonly used: number } | undefined {
  try {
    const found = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : { limit: Number(found), used: readdirSync('/proc/self/fd').length };
  } catch {
    return undefined;
  }
}
