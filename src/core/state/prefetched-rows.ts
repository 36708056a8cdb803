import { compare } from '../bytes/bytes.js';
import { keyAfter } from '../bytes/key-order.js';
import { invariant } from '../errors.js';
import type { StateEntry, StateRange, StateReader, StateStore } from './state.js';

/** Rows that were read, and the range that they cover completely. */
interface Held {
  readonly store: string;
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly rows: readonly StateEntry[];
}

/**
 * A read-only state with ranges of rows in memory: reading a row with its neighbours takes a tenth of the time of
 * reading it alone.
 */
export class PrefetchedRows implements StateStore {
  readonly #state: StateReader;
  readonly #held: Held[] = [];

  constructor(state: StateReader) {
    this.#state = state;
  }

  /** Reads up to `maximum` rows (at least one) from `first` to `last`; `rows` is the expected number. */
  read(store: string, [start, last]: readonly [Uint8Array, Uint8Array], rows: number, maximum: number): void {
    const end = keyAfter(last);
    const found = firstRows(this.#state.range(store, { start, end, rows }), maximum);
    const until = found.length < maximum ? undefined : found.at(-1);
    this.#held.push({ store, start, end: until === undefined ? end : keyAfter(until.key), rows: found });
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    for (const held of this.#held)
      if (held.store === store && compare(held.start, key) <= 0 && compare(key, held.end) < 0)
        return find(held.rows, key);
    return this.#state.get(store, key);
  }

  range(store: string, range: StateRange): Iterable<StateEntry> {
    return this.#state.range(store, range);
  }

  set(): void {
    invariant(false, 'rows ahead are only read');
  }

  delete(): void {
    invariant(false, 'rows ahead are only read');
  }
}

function find(rows: readonly StateEntry[], key: Uint8Array): Uint8Array | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    const order = row === undefined ? 0 : compare(row.key, key);
    if (order === 0) return row?.value;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Returns the first `count` rows and reads no further. */
export function firstRows<Row>(rows: Iterable<Row>, count: number): readonly Row[] {
  const first: Row[] = [];
  for (const row of rows) {
    first.push(row);
    if (first.length === count) break;
  }
  return first;
}
