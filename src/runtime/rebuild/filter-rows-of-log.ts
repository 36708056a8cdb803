import { bytesOfDigits } from '../../core/bytes/hex.js';
import { deadlineAfter, idText, type Filter } from '../../core/filters/index.js';
import type { FilterCreated, FilterEvent } from '../../core/log-events.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { filterRow } from '../../store/filters/filters.js';
import type { LogHead } from '../../store/log/head.js';
import type { HostRows } from './host-rows.js';

/** A filter whose cursor and deadline were lost; it continues from the head. */
export interface FilterReset {
  readonly id: string;
}

/**
 * Derives the rows of all filters that the log created and did not remove. Cursor and deadline are not in the log: they
 * are taken from the filter's row if that is intact.
 */
export class FilterRowsOfLog {
  readonly #host: Pick<HostRows, 'filter' | 'now'>;
  readonly #created = new Map<string, FilterCreated['data']>();

  constructor(host: Pick<HostRows, 'filter' | 'now'>) {
    this.#host = host;
  }

  apply(event: FilterEvent): void {
    const id = idText(event.data.id);
    if (event.type === 'FilterCreated') this.#created.set(id, event.data);
    else this.#created.delete(id);
  }

  /** Sets the filters created before an anchor, from the home's rows: the pruned records would list them. */
  anchored(filters: readonly Filter[]): void {
    for (const { id, criteria, height, position } of filters)
      this.#created.set(id, { id: bytesOfDigits(id) ?? new Uint8Array(), criteria, height, position });
  }

  /** The filter rows at the end of the log, and the filters that had to be reset. */
  rows(head: LogHead): { readonly rows: readonly StoreOperation[]; readonly reset: readonly FilterReset[] } {
    const rows: StoreOperation[] = [];
    const reset: FilterReset[] = [];
    for (const [id, created] of this.#created) {
      const kept = this.#host.filter(id);
      if (kept !== undefined && isSound(kept, created, head)) {
        const { height, position, deadline } = kept;
        rows.push(filterRow({ id, criteria: created.criteria, height, position, deadline }));
        continue;
      }
      const { executed: height, position } = head;
      rows.push(
        filterRow({ id, criteria: created.criteria, height, position, deadline: deadlineAfter(this.#host.now) }),
      );
      reset.push({ id });
    }
    return { rows, reset };
  }
}

/** True for a cursor between the filter's creation and the end of the log. */
function isSound(kept: Filter, created: FilterCreated['data'], head: LogHead): boolean {
  return kept.position >= created.position && kept.position <= head.position;
}
