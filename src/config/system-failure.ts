import type { Failure } from './failures.js';

/** System error codes for a path that cannot be written, with their explanation. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'read-only file system'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'a part of the path is a file, not a folder'],
]);
/**
 * Messages about missing native modules that a node requires (node-gyp-build 4, and
 * `src/runtime/host/guard-native.ts`).
 */
const NATIVE = /No native build was found for|the native binary .* is not the one/;

/** System error codes for an address that cannot be listened on, with their explanation. */
const NO_LISTENING: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied (EACCES); ports below 1024 need the rights of the administrator: choose a higher one'],
  ['EADDRNOTAVAIL', 'this machine has no such address (EADDRNOTAVAIL)'],
  ['ENOTFOUND', 'no host has this name (ENOTFOUND)'],
  ['EAI_AGAIN', 'no host has this name (EAI_AGAIN)'],
]);

/** The reason why an address could not be listened on, from the error's text or code. */
export function listenProblem(reason: string): string {
  const code = /\bE[A-Z_]+\b/.exec(reason)?.[0] ?? '';
  return NO_LISTENING.get(code) ?? reason;
}

/** Converts a system error that the user can fix into a failure; undefined for any other error. */
export function systemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (NATIVE.test(error.message))
    return { id: 'E_NATIVE_BINARY', message: error.message.split('\n')[0] ?? error.message };
  if (!('code' in error) || !('path' in error) || typeof error.path !== 'string') return undefined;
  const reason = isFolderRefused(error) ? 'the system makes no folder there' : REFUSED.get(String(error.code));
  // A file that takes the place of another one is written beside it and renamed.
  const path = 'dest' in error && typeof error.dest === 'string' ? error.dest : error.path;
  return reason === undefined ? undefined : { id: 'E_UNWRITABLE', path, reason };
}

/** True for a folder that cannot be created although its parent exists, as under `/proc`. */
function isFolderRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir';
}
