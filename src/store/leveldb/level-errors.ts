import { CorruptionError, HomeLockedError } from '../errors.js';
import { scanLevelFiles } from './scan-files.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Matches a LevelDB file name in an error message. */
const FILE = /\d{6,}\.(?:ldb|sst|log)\b|MANIFEST-\d+|CURRENT\b/;

/**
 * Translates an error of classic-level: damage or a missing file becomes CorruptionError naming the file; LevelDB's
 * lock being held becomes HomeLockedError; any other error is returned unchanged. Messages are matched because
 * classic-level sets a code on few errors, and abstract-level hides the error of an open in `cause`.
 */
export function levelError(error: unknown, directory: string): unknown {
  let current = error;
  for (let depth = 0; depth < FIXED_LIMITS.causes && current instanceof Error; depth += 1) {
    const { message } = current;
    if ('code' in current && current.code === 'LEVEL_LOCKED') return new HomeLockedError(directory, undefined);
    if (/^IO error: .*No such file or directory/.test(message))
      return damage('a file of the database is missing', message);
    if (message.startsWith('Corruption: ')) return damage(`LevelDB reports ${message}`, message, directory);
    current = current.cause;
  }
  return error;
}

/**
 * CorruptionError with the file named in the message; otherwise with the first damaged file in `directory` and the
 * offset in it.
 */
function damage(problem: string, message: string, directory?: string): CorruptionError {
  const file = FILE.exec(message)?.[0];
  if (file !== undefined) return new CorruptionError(problem, { file });
  for (const found of directory === undefined ? [] : scanLevelFiles(directory))
    return new CorruptionError(`${problem}; ${found.problem} at byte ${found.offset}`, { file: found.file });
  return new CorruptionError(problem);
}
