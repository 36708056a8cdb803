import { CorruptionError, HomeLockedError } from '../errors.js';
import { scanLevelFiles } from './files.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Files of a LevelDB database as its messages name them. */
const FILE = /\d{6,}\.(?:ldb|sst|log)\b|MANIFEST-\d+|CURRENT\b/;

/**
 * The meaning of an error of classic-level: CorruptionError that names the file, for damage and for a missing file;
 * HomeLockedError when another process holds LevelDB's own lock; else the error itself. classic-level gives a code only
 * to some errors, and abstract-level puts the error of an open into `cause`.
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

/** Names the file that the message names; else the first damaged one of `directory`, with the place in it. */
function damage(problem: string, message: string, directory?: string): CorruptionError {
  const file = FILE.exec(message)?.[0];
  if (file !== undefined) return new CorruptionError(problem, { file });
  for (const found of directory === undefined ? [] : scanLevelFiles(directory))
    return new CorruptionError(`${problem}; ${found.problem} at byte ${found.offset}`, { file: found.file });
  return new CorruptionError(problem);
}
