import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { checksum } from './row.js';

/** Rows of a table: their number, and two sums of 32 bits over what they hold. */
interface Sum {
  rows: number;
  checksums: number;
  mixed: number;
}

/** The rows of a database that is summed are read, deleted or deleted in a range, which sums do not follow. */
export class NotSummed extends Error {
  override readonly name = 'NotSummed';
}

/**
 * Sums over tables whose rows are written once, in any order: where number and both sums of two databases are equal, so
 * are the rows. Damage to one row is missed once in 2^64 times.
 */
export class RowSums {
  readonly #tables: ReadonlyMap<number, Sum>;

  /** `tables`: the first bytes of the keys that are summed. */
  constructor(tables: Iterable<number>) {
    this.#tables = new Map([...tables].map((table) => [table, { rows: 0, checksums: 0, mixed: 0 }]));
  }

  /** The tables that are summed. */
  get tables(): Iterable<number> {
    return this.#tables.keys();
  }

  /** Takes a row into the sums; false when its table is not summed. */
  add(key: Uint8Array, value: Uint8Array): boolean {
    const sum = this.#tables.get(key[0] ?? 0);
    if (sum === undefined) return false;
    sum.rows += 1;
    sum.checksums = (sum.checksums + checksum(key, value)) | 0;
    sum.mixed = (sum.mixed + mix(mix(key.length, key), value)) | 0;
    return true;
  }

  /** True when the key is in a table that is summed. */
  covers(key: Uint8Array): boolean {
    return this.#tables.has(key[0] ?? 0);
  }

  /** True when both have the same rows in a table. */
  agrees(other: RowSums, table: number): boolean {
    const [left, right] = [this.#tables.get(table), other.#tables.get(table)];
    return left?.rows === right?.rows && left?.checksums === right?.checksums && left?.mixed === right?.mixed;
  }
}

/** Goes on with a sum over bytes: FNV-1a, with the last step of MurmurHash3. */
function mix(from: number, bytes: Uint8Array): number {
  let hash = from ^ 0x811c9dc5;
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A store that has no rows of the tables that are summed, and throws NotSummed where they are asked for or deleted. */
export function withoutSummed(store: KeyValueStore, sums: RowSums): KeyValueStore {
  const kept = (key: Uint8Array): Uint8Array => {
    if (sums.covers(key)) throw new NotSummed('rows of this table are not kept');
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
