import type { Filter } from '../../core/filters/index.js';
import type { Timers } from '../../core/ports/time.js';

export interface CursorWriter {
  /** The row changed in a way that may wait: a deadline moved. */
  mark(id: string): void;
  /** The row changed; resolves when the store has it. */
  write(id: string): Promise<void>;
  /** Resolves when no write is under way. */
  settled(): Promise<void>;
  /** Writes what is marked, then nothing any more. */
  stop(): Promise<void>;
}

export interface CursorWriterOptions {
  readonly timers: Timers;
  /** The row as it is now; undefined when the filter is gone. */
  readonly rowOf: (id: string) => Filter | undefined;
  readonly write: (filters: readonly Filter[]) => Promise<void>;
}

/** Deadlines are written at most this much later than they moved. */
const LATEST_MS = 1_000;

/** Writes rows of filters in place: one batch at a time, and what changes meanwhile goes together in the next one. */
export function createCursorWriter({ timers, rowOf, write }: CursorWriterOptions): CursorWriter {
  const marked = new Set<string>();
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let cancelLater: (() => void) | undefined;
  let stopped = false;

  const writeNow = async (): Promise<void> => {
    cancelLater?.();
    cancelLater = undefined;
    const rows = [...marked].map(rowOf).filter((row) => row !== undefined);
    marked.clear();
    if (rows.length > 0) await write(rows);
  };
  const flush = (): Promise<void> => {
    next ??= writing.then(() => {
      next = undefined;
      const batch = writeNow();
      // Who asked for this batch learns that it failed; the next one is tried all the same.
      writing = batch.catch(() => undefined);
      return batch;
    });
    return next;
  };
  return {
    mark(id) {
      marked.add(id);
      if (stopped) return;
      cancelLater ??= timers.after(LATEST_MS, () => {
        cancelLater = undefined;
        flush().catch(() => undefined);
      });
    },
    write(id) {
      marked.add(id);
      return flush();
    },
    settled: () => writing,
    async stop() {
      stopped = true;
      await flush().catch(() => undefined);
    },
  };
}
