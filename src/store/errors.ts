import { StorageFailure } from '../core/errors.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** Where the damage is, as far as known: position in the log, row key (hex), file name. */
export interface DamageLocation {
  readonly position?: bigint;
  readonly key?: string;
  readonly file?: string;
}

/**
 * Stored bytes differ from what was written. `position` or `key` (hex) and `file` name the place; the node exits with
 * code 6.
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

/** Records are missing in the middle of the log: the events at positions `from` to `next - 1`. */
export class MissingRecordsError extends CorruptionError {
  constructor(
    readonly from: bigint,
    readonly next: bigint,
  ) {
    super(`events are missing before position ${next}`, { position: from });
  }
}

/**
 * Every store call after the first failed write of a handle fails with this error. The store must be closed, reopened
 * and verified (poison rule of `src/store/leveldb/checked-store.ts`).
 */
export class PoisonedError extends StorageFailure {
  override readonly name = 'PoisonedError';

  constructor(cause: unknown) {
    super('the store failed a write and must be opened again', cause);
  }
}

/** The data has a format version that this build does not read (`src/store/leveldb/format.ts`). */
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

/** A new database is refused because a snapshot restore in this home has started but not finished. */
export class RestoreUnfinishedError extends Error {
  override readonly name = 'RestoreUnfinishedError';

  constructor() {
    super(
      'a snapshot was being restored, and the restore did not end: run chronicled snapshots restore again, or chronicled reset -y for a new chain',
    );
  }
}

/**
 * Another process holds the home's lock. `pid` is undefined when this process cannot see the holder: it runs in another
 * container, or it is exiting.
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

/** The lock file or the folder of the open database was removed or replaced. Nothing more may be written. */
export class HomeReplacedError extends Error {
  override readonly name = 'HomeReplacedError';

  constructor(readonly path: string) {
    super(`${path} was removed or replaced while it was open`);
  }
}

/**
 * A write failed and its outcome is unknown until the store is reopened: after a failed fsync the write may still be
 * there.
 */
export class CommitUnknownError extends StorageFailure {
  override readonly name = 'CommitUnknownError';

  constructor(cause: unknown) {
    super('the commit failed and its outcome is unknown', cause);
  }
}

/** Searches an error and its nested causes for the first instance of one of `classes`; undefined when there is none. */
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

/** The append queue is full. Nothing was written for this call. */
export class LogBusyError extends Error {
  override readonly name = 'LogBusyError';
}
