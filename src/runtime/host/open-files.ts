import { readdirSync, readFileSync } from 'node:fs';

/**
 * Number of files that this process may have open, and that it has (proc_pid_limits(5), proc_pid_fd(5)). Undefined
 * where /proc is absent or there is no limit. Node.js takes the hard limit when it starts.
 */
export function openFiles(): { readonly limit: number; readonly used: number } | undefined {
  try {
    const found = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : { limit: Number(found), used: readdirSync('/proc/self/fd').length };
  } catch {
    return undefined;
  }
}
