import { idText, type Filter } from '../../core/filters/index.js';
import type { FilterCreated, FilterEvent, FilterRemoved } from '../../core/log-events.js';
import type { Timers } from '../../core/ports/time.js';

export interface FilterRowsOptions {
  readonly timers: Timers;
  /** Appends the events with the rows in one batch (stream `filters`); resolves when it may be shown. */
  readonly append: (
    events: readonly FilterEvent[],
    rows: { readonly put: readonly Filter[]; readonly forget: readonly string[] },
  ) => Promise<void>;
  /** Writes rows in place, unsynced. */
  readonly writeRows: (filters: readonly Filter[]) => Promise<void>;
  readonly readRows: () => Promise<readonly Filter[]>;
}

/** A filter as its row has it, and the client that the limit per client counts it for, as long as the process lives. */
export interface KeptFilter {
  readonly filter: Filter;
  readonly client: string | undefined;
}

/** A deadline is written at most this many milliseconds after it moved. */
const LATEST_MS = 1_000;

/**
 * The rows of all filters, with what is on its way to them: it outlives the actor, so that a new incarnation reads
 * everything that the one before wrote. Rows are written in place, one batch at a time; changes of a moment go together
 * in the next one. The store is read once: a restart of the actor reads the copy, because LevelDB takes 50 ms of CPU
 * for 10,000 rows.
 */
export class FilterRows {
  readonly #options: FilterRowsOptions;
  readonly #clients = new Map<string, string>();
  readonly #changed = new Map<string, Filter>();
  readonly #appends = new Set<Promise<void>>();
  /** The rows as the store has them. Undefined before the first read, and after a write that failed. */
  #stored: Map<string, Filter> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #cancelLater: (() => void) | undefined;
  #closed = false;

  constructor(options: FilterRowsOptions) {
    this.#options = options;
  }

  /** All filters, after everything that is on its way. Rejects with a storage error. */
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
    // A row that is on its way to the store must not arrive after its deletion.
    return this.#append(events, { put: [], forget }, this.#writing);
  }

  /** Resolves when the store has the row. */
  write(filter: Filter): Promise<void> {
    this.#changed.set(filter.id, filter);
    return this.#flush();
  }

  /** The row may be written later: its deadline moved. */
  mark(filter: Filter): void {
    this.#changed.set(filter.id, filter);
    if (this.#closed) return;
    this.#cancelLater ??= this.#options.timers.after(LATEST_MS, () => {
      this.#cancelLater = undefined;
      // The next write of the actor reports the failure.
      this.#flush().catch(() => undefined);
    });
  }

  /** Writes the rows that changed, then no more. */
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
      // The callers for this batch learn of its failure; the next batch is tried all the same.
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

  /** Repeats a write in the copy once the store has it. The outcome of a failed write is only known to the store. */
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
