import { StorageFailure } from '../core/errors.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** Position in the log, key of the row (hex), and name of the file, as far as they are known. */
export interface DamageLocation {
  readonly position?: bigint;
  readonly key?: string;
  readonly file?: string;
}

/**
 * The stored bytes are not those that were written. `position` or `key` (hex) and `file` name the place; the node stops
 * with exit code 6.
 */
export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';

  constructor(
    readonly problem: string,
    readonly where: DamageLocation = {},
  ) {
    const parts = Object.entries(where).map(([name, value]) => `${name} ${String(value)}`);
    super(parts.length === 0 ? `corrupted: ${problem}` : `corrupted: ${problem} (${parts.join(', ')})`);
  }
}

/** Records are missing between others: the events from position `from` up to `next`, which is not one of them. */
export class MissingRecordsError extends CorruptionError {
  constructor(
    readonly from: bigint,
    readonly next: bigint,
  ) {
    super(`events are missing before position ${next}`, { position: from });
  }
}

/**
 * A store call after the first failed write of its handle; the store has to be closed, reopened and verified (the
 * poison rule of `src/store/leveldb/checked-store.ts`).
 */
export class PoisonedError extends StorageFailure {
  override readonly name = 'PoisonedError';

  constructor(cause: unknown) {
    super('the store failed a write and must be opened again', cause);
  }
}

/** The data is of a build with a format that this build does not read (`src/store/leveldb/format.ts`). */
export class OtherFormatError extends Error {
  override readonly name = 'OtherFormatError';

  constructor(
    readonly found: number,
    earliest: number,
    readonly newest: number,
  ) {
    super(`the format of the data is ${found}, this build reads ${earliest} to ${newest}: nothing was changed`);
  }

  get isNewer(): boolean {
    return this.found > this.newest;
  }
}

/** A database would be created where a restore of a snapshot was begun and not finished. */
export class RestoreUnfinishedError extends Error {
  override readonly name = 'RestoreUnfinishedError';

  constructor() {
    super(
      'a snapshot was being restored, and the restore did not end: run chronicled snapshots restore again, or chronicled reset -y for a new chain',
    );
  }
}

/**
 * Another process holds the home's lock. `pid` is undefined when that process is invisible here: it runs in another
 * container, or it is just ending.
 */
export class HomeLockedError extends Error {
  override readonly name = 'HomeLockedError';

  constructor(
    readonly path: string,
    readonly pid: number | undefined,
  ) {
    super(`${path} is held by ${pid === undefined ? 'a process that is invisible here' : `process ${pid}`}`);
  }
}

/** The lock or the folder of an open database was removed or replaced: nothing more may be written. */
export class HomeReplacedError extends Error {
  override readonly name = 'HomeReplacedError';

  constructor(readonly path: string) {
    super(`${path} was removed or replaced while it was open`);
  }
}

/**
 * The outcome of a write is unknown until the store was opened again: after a failed fsync the write may show after a
 * restart.
 */
export class CommitUnknownError extends StorageFailure {
  override readonly name = 'CommitUnknownError';

  constructor(cause: unknown) {
    super('the commit failed and its outcome is unknown', cause);
  }
}

/** The first of an error and its nested causes that is of one of these classes. */
export function causeOf<Found extends Error>(
  error: unknown,
  ...classes: readonly (new (...parts: never[]) => Found)[]
): Found | undefined {
  let current = error;
  for (let depth = 0; depth < FIXED_LIMITS.causes; depth += 1) {
    for (const one of classes) if (current instanceof one) return current;
    if (!(current instanceof Error)) return undefined;
    current = current.cause;
  }
  return undefined;
}

/** Too many appends wait; nothing was written for this one. */
export class LogBusyError extends Error {
  override readonly name = 'LogBusyError';
}
