import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { checksum } from './row.js';

/** Number of rows of a table, and two 32-bit sums over their contents. */
interface Sum {
  rows: number;
  checksums: number;
  mixed: number;
}

/**
 * Sums do not suffice: they differ, or rows of a table kept only as sums were read or deleted. The caller must compare
 * whole rows.
 */
export class RowSumsInsufficient extends Error {
  override readonly name = 'RowSumsInsufficient';
}

/**
 * Order-independent sums over tables whose rows are written once. If the number and both sums of two databases agree,
 * so do the rows; damage to one row is missed with probability 2^-64.
 */
export class RowSums {
  readonly #tables: ReadonlyMap<number, Sum>;

  /** `tables`: key prefixes of the summed tables. */
  constructor(tables: Iterable<number>) {
    this.#tables = new Map([...tables].map((table) => [table, { rows: 0, checksums: 0, mixed: 0 }]));
  }

  /** Key prefixes of the summed tables. */
  get tables(): Iterable<number> {
    return this.#tables.keys();
  }

  /** Adds a row to the sums; false when its table is not summed. */
  add(key: Uint8Array, value: Uint8Array): boolean {
    const sum = this.#tables.get(key[0] ?? 0);
    if (sum === undefined) return false;
    sum.rows += 1;
    sum.checksums = (sum.checksums + checksum(key, value)) | 0;
    sum.mixed = (sum.mixed + mix(mix(key.length, key), value)) | 0;
    return true;
  }

  /** True when the key belongs to a summed table. */
  covers(key: Uint8Array): boolean {
    return this.#tables.has(key[0] ?? 0);
  }

  /** True when both sums agree for a table. */
  agrees(other: RowSums, table: number): boolean {
    const [left, right] = [this.#tables.get(table), other.#tables.get(table)];
    return left?.rows === right?.rows && left?.checksums === right?.checksums && left?.mixed === right?.mixed;
  }
}

/** Extends a hash by bytes: FNV-1a with the finalizer of MurmurHash3. */
function mix(from: number, bytes: Uint8Array): number {
  let hash = from ^ 0x811c9dc5;
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Wraps a store that does not contain the summed tables: reading, overwriting or deleting their rows throws
 * RowSumsInsufficient.
 */
export function withoutSummed(store: KeyValueStore, sums: RowSums): KeyValueStore {
  const kept = (key: Uint8Array): Uint8Array => {
    if (sums.covers(key)) throw new RowSumsInsufficient('rows of this table are not kept');
    return key;
  };
  return {
    get: (key) => store.get(kept(key)),
    async range(options) {
      return store.range({ ...options, start: kept(options.start) });
    },
    async commit(operations, options) {
      for (const { key } of operations) kept(key);
      await store.commit(operations, options);
    },
    close: () => store.close(),
  };
}
