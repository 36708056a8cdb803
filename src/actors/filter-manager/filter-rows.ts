import { idText, type Filter } from '../../core/filters/index.js';
import type { FilterCreated, FilterEvent, FilterRemoved } from '../../core/log-events.js';
import type { Timers } from '../../core/ports/time.js';

export interface FilterRowsOptions {
  readonly timers: Timers;
  /** Appends events and rows in one batch (stream `filters`); resolves when the events are published. */
  readonly append: (
    events: readonly FilterEvent[],
    rows: { readonly put: readonly Filter[]; readonly forget: readonly string[] },
  ) => Promise<void>;
  /** Writes rows in place, unsynced. */
  readonly writeRows: (filters: readonly Filter[]) => Promise<void>;
  readonly readRows: () => Promise<readonly Filter[]>;
}

/** A stored filter, and its client (in memory only), to which the per-client limit applies. */
export interface KeptFilter {
  readonly filter: Filter;
  readonly client: string | undefined;
}

/** Longest delay before a moved deadline is written, milliseconds. */
const WRITE_DELAY_MS_MAX = 1_000;

/**
 * The rows of all filters and their pending writes. It outlives the actor, so a restarted actor reads everything its
 * predecessor wrote. Rows are overwritten in place, one batch at a time; concurrent changes share the next batch. The
 * store is read only once, because LevelDB takes 50 ms of CPU for 10,000 rows; later reads use the copy in memory.
 */
export class FilterRows {
  readonly #options: FilterRowsOptions;
  readonly #clients = new Map<string, string>();
  readonly #changed = new Map<string, Filter>();
  readonly #appends = new Set<Promise<void>>();
  /** Copy of the stored rows; undefined before the first read, and after a failed write. */
  #stored: Map<string, Filter> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #cancelLater: (() => void) | undefined;
  #closed = false;

  constructor(options: FilterRowsOptions) {
    this.#options = options;
  }

  /** Reads all filters after pending writes are done. Rejects with a storage error. */
  async read(): Promise<readonly KeptFilter[]> {
    await Promise.allSettled(this.#appends);
    await this.#flush();
    this.#stored ??= new Map((await this.#options.readRows()).map((filter) => [filter.id, filter]));
    return Array.from(this.#stored.values(), (filter) => ({ filter, client: this.#clients.get(filter.id) }));
  }

  create(event: FilterCreated, filter: Filter, client: string | undefined): Promise<void> {
    if (client !== undefined) this.#clients.set(filter.id, client);
    return this.#append([event], { put: [filter], forget: [] });
  }

  remove(events: readonly FilterRemoved[]): Promise<void> {
    const forget = events.map(({ data }) => idText(data.id));
    for (const id of forget) {
      this.#clients.delete(id);
      this.#changed.delete(id);
    }
    // Wait for writes in progress: a row must not be written after its deletion.
    return this.#append(events, { put: [], forget }, this.#writing);
  }

  /** Writes a row; resolves when it is stored. */
  write(filter: Filter): Promise<void> {
    this.#changed.set(filter.id, filter);
    return this.#flush();
  }

  /** Schedules a row whose deadline moved to be written later. */
  mark(filter: Filter): void {
    this.#changed.set(filter.id, filter);
    if (this.#closed) return;
    this.#cancelLater ??= this.#options.timers.after(WRITE_DELAY_MS_MAX, () => {
      this.#cancelLater = undefined;
      // The actor's next write reports the failure.
      this.#flush().catch(() => undefined);
    });
  }

  /** Writes the changed rows and stops scheduling. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flush().catch(() => undefined);
  }

  #append(
    events: readonly FilterEvent[],
    rows: Parameters<FilterRowsOptions['append']>[1],
    after: Promise<void> = Promise.resolve(),
  ): Promise<void> {
    const appended = after.then(() =>
      this.#copied(this.#options.append(events, rows), (stored) => {
        for (const filter of rows.put) stored.set(filter.id, filter);
        for (const id of rows.forget) stored.delete(id);
      }),
    );
    this.#appends.add(appended);
    const settled = (): void => void this.#appends.delete(appended);
    appended.then(settled, settled);
    return appended;
  }

  #flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      const batch = this.#writeChanged();
      // The failure is reported to this batch's callers; the next batch is tried anyway.
      this.#writing = batch.catch(() => undefined);
      return batch;
    });
    return this.#next;
  }

  async #writeChanged(): Promise<void> {
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    const rows = [...this.#changed.values()];
    this.#changed.clear();
    if (rows.length === 0) return;
    await this.#copied(this.#options.writeRows(rows), (stored) => {
      for (const filter of rows) stored.set(filter.id, filter);
    });
  }

  /**
   * Applies a write to the copy after the store has it. After a failed write the outcome is unknown, so the copy is
   * dropped.
   */
  async #copied(write: Promise<void>, repeat: (stored: Map<string, Filter>) => void): Promise<void> {
    try {
      await write;
      if (this.#stored !== undefined) repeat(this.#stored);
    } catch (error) {
      this.#stored = undefined;
      throw error;
    }
  }
}
