/**
 * The stored bytes are not those that were written. `position` or `key` (hex) and `file` name the place; the node stops
 * with exit code 6.
 */
export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';
  readonly where: { readonly position?: bigint; readonly key?: string; readonly file?: string };

  constructor(
    problem: string,
    where: { readonly position?: bigint; readonly key?: string; readonly file?: string } = {},
  ) {
    const parts = Object.entries(where).map(([name, value]) => `${name} ${String(value)}`);
    super(parts.length === 0 ? `corrupted: ${problem}` : `corrupted: ${problem} (${parts.join(', ')})`);
    this.where = where;
  }
}

/**
 * A store call after the first failed write of its handle; the store has to be closed, reopened and verified (the
 * poison rule of `src/store/checked-store.ts`).
 */
export class PoisonedError extends Error {
  override readonly name = 'PoisonedError';

  constructor(cause: unknown) {
    super('the store failed a write and must be opened again', { cause });
  }
}

/** The directory is complete, but was made by a build with another format. */
export class OtherFormatError extends Error {
  override readonly name = 'OtherFormatError';

  constructor(
    readonly found: string,
    readonly expected: string,
  ) {
    super(`the format of the data is ${found}, this build reads and writes ${expected}`);
  }
}

/** Another process holds the home's lock. */
export class HomeLockedError extends Error {
  override readonly name = 'HomeLockedError';

  constructor(
    readonly path: string,
    readonly pid: number,
  ) {
    super(`${path} is held by process ${pid}`);
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
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';

  constructor(cause: unknown) {
    super('the commit failed and its outcome is unknown', { cause });
  }
}
