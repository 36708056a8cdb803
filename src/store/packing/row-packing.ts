import { concat, EMPTY, equal } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { ByteReader, ByteWriter, FormatError } from '../bytes.js';
import { PREFIX } from '../keys.js';
import { CorruptionError } from '../errors.js';
import type { SealingOperation, StoredValue } from '../rows/row.js';
import { FLOOR_KEY } from '../state/tables.js';
import { readDelta, writeDelta } from './delta.js';
import {
  baseIdIn,
  baseKey,
  ENVELOPE,
  kindOf,
  numberIn,
  RECORD,
  RETAINED_ROWS_KEY,
  RESULTS,
  rowOfRecord,
  TRACE,
  UNDO,
  WRITES,
  type Kind,
} from './kinds.js';
import { fitsBase, newBase, type CurrentBase } from './current-base.js';
import { decodeRetainedRows, encodeRetainedRows, type RetainedRow } from './retained-rows.js';

/** Codes for near rows of the same record: of this build, and of records of version 1. */
const OF_ITS_RECORD = 2;
const OF_ITS_EARLIER_RECORD = 1;

/** Reads a row as stored, after verifying its checksum. */
export type ReadStored = (key: Uint8Array) => StoredValue | undefined;

/** A near row: a row that later rows may be encoded against. */
interface Near {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * Stores rows that repeat from block to block as deltas from a shared base row and from *near rows* with the same
 * hashes and amounts; readers see whole rows (docs/interfaces/log-record.md). Near rows: for a record row the previous
 * record row as stored; for state writes their record row; for results both; for an undo page the previous block's
 * state writes. A pruned record row that is still needed is kept in `retained-rows.ts`. Packed row: number of the base;
 * code of the near row (`OF_ITS_RECORD`, positions back for a record row, record position for an undo page; 0 for
 * none); delta.
 */
export class RowPacking {
  readonly #read: ReadStored;
  readonly #bases = new Map<number, Uint8Array>();
  /** Cache of unpacked rows that other rows are encoded against. */
  readonly #near = new Map<number, Uint8Array>();
  readonly #present = new Map<Kind, CurrentBase | undefined>();
  /** The last block's record row as stored, and its state writes. */
  #lastRecord: Near | undefined;
  #lastWrites: Near | undefined;

  constructor(read: ReadStored) {
    this.#read = read;
  }

  /** Kinds put by `operations` whose current base is not loaded yet. */
  kindsToLoad(operations: readonly StoreOperation[]): readonly Kind[] {
    const kinds = new Set<Kind>();
    for (const { type, key } of operations) {
      const kind = type === 'put' ? kindOf(key) : undefined;
      if (kind !== undefined && !this.#present.has(kind)) kinds.add(kind);
    }
    return [...kinds];
  }

  /** Loads a kind's current base by its key, which an earlier process wrote; undefined when there is none. */
  loadBase(kind: Kind, key: Uint8Array | undefined): void {
    if (this.#present.has(kind)) return;
    this.#present.set(kind, key === undefined ? undefined : newBase(baseIdIn(key), this.#base(kind, baseIdIn(key))));
  }

  /** Replaces rows by their deltas where these are shorter, and adds new bases. */
  pack(operations: readonly StoreOperation[]): readonly SealingOperation[] {
    const own = new Map<number, Uint8Array>();
    let pruned: Uint8Array | undefined;
    let isFloor = false;
    let isAnchored = false;
    for (const operation of operations) {
      const kind = kindOf(operation.key);
      if (kind === UNDO && operation.type === 'delete') pruned = operation.key;
      isFloor ||= operation.type === 'put' && equal(operation.key, FLOOR_KEY);
      isAnchored ||= operation.key[0] === PREFIX.restored;
      if (kind !== RECORD && kind !== WRITES) continue;
      if (operation.type === 'put') own.set(nameOf(kind, numberIn(operation.key)), operation.value);
      else this.#forget(kind, numberIn(operation.key));
    }
    const packed: SealingOperation[] = [];
    for (const operation of operations) {
      const kind = operation.type === 'put' ? kindOf(operation.key) : undefined;
      if (kind === undefined || operation.type === 'delete') packed.push(operation);
      else if (isAnchored && kind === RECORD && this.#isPutAgain(operation.key, operation.value))
        for (const row of this.#retainNear(operation.key)) packed.push(row);
      else this.#pack(kind, operation.key, operation.value, own, packed);
    }
    if (isFloor && pruned !== undefined) this.#removeBases(pruned, packed);
    return packed;
  }

  /** True when a packed row is put again unchanged: an anchor is about to prune the record before it. */
  #isPutAgain(key: Uint8Array, value: Uint8Array): boolean {
    const stored = this.#read(key);
    return stored?.isPacked === true && equal(this.unpack(key, stored), value);
  }

  /** Retains the row that a packed record row depends on; the packed row itself is not changed. */
  #retainNear(key: Uint8Array): readonly SealingOperation[] {
    const from = new ByteReader(this.#stored(key).value);
    from.count();
    const code = from.count();
    if (code === 0) return [];
    const position = numberIn(key) - code;
    const value = encodeRetainedRows({ position, bytes: this.#storedRecord(position) }, this.#retained());
    return [{ type: 'put', key: RETAINED_ROWS_KEY, value }];
  }

  /** A record row as stored, or as it was before it was pruned. */
  #storedRecord(position: number): Uint8Array {
    const key = rowOfRecord(RECORD, position);
    const found = this.#read(key)?.value ?? this.#retained().find((row) => row.position === position)?.bytes;
    return found ?? this.#stored(key).value;
  }

  #retained(): readonly RetainedRow[] {
    return decodeRetainedRows(this.#read(RETAINED_ROWS_KEY)?.value);
  }

  /**
   * Deletes bases that no undo page after `pruned` (the last deleted page) needs; one more is kept for concurrent
   * readers.
   */
  #removeBases(pruned: Uint8Array, to: SealingOperation[]): void {
    const page = this.#read(pruned);
    if (page?.isPacked !== true) return;
    for (let id = new ByteReader(page.value).count() - 2; id >= 0; id -= 1) {
      const key = baseKey(UNDO, id);
      if (this.#read(key) === undefined) return;
      to.push({ type: 'delete', key });
    }
  }

  /** The whole value of a row. Throws CorruptionError naming this row, even when a row it depends on is damaged. */
  unpack(key: Uint8Array, { value, isPacked }: StoredValue): Uint8Array {
    if (!isPacked) return value;
    try {
      const kind = kindOf(key);
      if (kind !== RECORD && kind !== ENVELOPE && kind !== WRITES) return this.#unpack(key, value);
      // Cached, because rows encoded against it are usually read next.
      const name = nameOf(kind, numberIn(key));
      return this.#near.get(name) ?? kept(this.#near, name, this.#unpack(key, value), NEAR_ROWS);
    } catch (error) {
      if (error instanceof FormatError || error instanceof CorruptionError)
        throw new CorruptionError(`row by difference: ${error.message}`, { key: hex(key) });
      throw error;
    }
  }

  #pack(
    kind: Kind,
    key: Uint8Array,
    value: Uint8Array,
    own: ReadonlyMap<number, Uint8Array>,
    to: SealingOperation[],
  ): void {
    const number = numberIn(key);
    const isBlock = kind === UNDO || own.has(nameOf(WRITES, number));
    if (
      !isBlock ||
      value.length < FIXED_LIMITS.packedRowBytes.least ||
      value.length > FIXED_LIMITS.packedRowBytes.most
    ) {
      to.push({ type: 'put', key, value });
      if (kind === WRITES) this.#lastWrites = undefined;
      return;
    }
    const near = this.#nearOf(kind, number, own);
    const before = this.#present.get(kind);
    const present = before ?? this.#begin(kind, 0, value, to);
    const bytes = deltaOf(present, value, near);
    const isShorter = bytes.length < value.length;
    const stored = isShorter ? bytes : value;
    to.push({ type: 'put', key, value: stored, ...(isShorter && { isPacked: true }) });
    if (kind === RECORD) this.#lastRecord = { number, bytes: stored };
    if (kind === WRITES) this.#lastWrites = { number, bytes: value };
    if (fitsBase(present, bytes.length, value.length)) return;
    this.#begin(kind, present.id + 1, value, to);
  }

  /** Makes the value the base of the following rows. */
  #begin(kind: Kind, id: number, value: Uint8Array, to: SealingOperation[]): CurrentBase {
    const present = newBase(id, value.slice());
    this.#present.set(kind, present);
    to.push({ type: 'put', key: baseKey(kind, id), value: present.base.bytes });
    return present;
  }

  #nearOf(kind: Kind, number: number, own: ReadonlyMap<number, Uint8Array>): Near & { readonly code: number } {
    const none = { number, bytes: EMPTY, code: 0 };
    const last = kind === RECORD ? this.#lastRecord : kind === UNDO ? this.#lastWrites : undefined;
    if (last !== undefined) return { ...last, code: kind === RECORD ? number - last.number : last.number };
    if (kind !== WRITES && kind !== RESULTS) return none;
    const record = own.get(nameOf(RECORD, number));
    const writes = kind === WRITES ? EMPTY : own.get(nameOf(WRITES, number));
    if (record === undefined || writes === undefined) return none;
    const isShort = record.length + writes.length <= FIXED_LIMITS.packedRowBytes.most;
    return isShort ? { number, bytes: concat(record, writes), code: OF_ITS_RECORD } : none;
  }

  #unpack(key: Uint8Array, value: Uint8Array): Uint8Array {
    const kind = kindOf(key);
    if (kind === undefined) throw new FormatError('a row of this table is whole');
    const from = new ByteReader(value);
    const base = this.#base(kind, from.count());
    const code = from.count();
    const near = code === 0 ? EMPTY : this.#nearAt(kind, numberIn(key), code);
    return readDelta(from, base, near, FIXED_LIMITS.packedRowBytes.most);
  }

  #nearAt(kind: Kind, number: number, code: number): Uint8Array {
    const isEarlier = code === OF_ITS_EARLIER_RECORD;
    switch (kind) {
      case RECORD:
      case ENVELOPE:
        if (code > number) throw new FormatError('a near row before the first');
        return kind === RECORD
          ? this.#storedRecord(number - code)
          : this.#stored(rowOfRecord(kind, number - code)).value;
      case WRITES:
        return this.#whole(isEarlier ? ENVELOPE : RECORD, number);
      case TRACE:
        return this.#whole(ENVELOPE, number);
      case RESULTS:
        if (isEarlier) return this.#whole(WRITES, number);
        return concat(this.#whole(RECORD, number), this.#whole(WRITES, number));
      case UNDO:
        return this.#whole(WRITES, code);
    }
  }

  #whole(kind: typeof RECORD | typeof ENVELOPE | typeof WRITES, position: number): Uint8Array {
    const name = nameOf(kind, position);
    const known = this.#near.get(name);
    if (known !== undefined) return known;
    const key = rowOfRecord(kind, position);
    const found = this.#stored(key);
    return kept(this.#near, name, found.isPacked ? this.#unpack(key, found.value) : found.value, NEAR_ROWS);
  }

  #base(kind: Kind, id: number): Uint8Array {
    const name = nameOf(kind, id);
    return (
      this.#bases.get(name) ?? kept(this.#bases, name, this.#stored(baseKey(kind, id)).value, FIXED_LIMITS.cachedBases)
    );
  }

  #stored(key: Uint8Array): StoredValue {
    const found = this.#read(key);
    if (found === undefined) throw new CorruptionError('row against which it is encoded is missing', { key: hex(key) });
    return found;
  }

  /** Drops a deleted row from the caches, so that no row is encoded against it. */
  #forget(kind: typeof RECORD | typeof WRITES, number: number): void {
    this.#near.delete(nameOf(kind, number));
    if (this.#lastRecord?.number === number) this.#lastRecord = undefined;
    if (this.#lastWrites?.number === number) this.#lastWrites = undefined;
  }
}

/** Cache size: the near rows of two blocks. */
const NEAR_ROWS = 4;

/** Cache key of a record section, or of a base. */
function nameOf(kind: Kind, number: number): number {
  return number * 8 + kind;
}

function kept(map: Map<number, Uint8Array>, name: number, bytes: Uint8Array, most: number): Uint8Array {
  map.set(name, bytes);
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
  return bytes;
}

function deltaOf({ id, base }: CurrentBase, value: Uint8Array, near: Near & { readonly code: number }): Uint8Array {
  const to = new ByteWriter(FIXED_LIMITS.packedRowBytes.most / 8);
  to.uint(id);
  to.uint(near.code);
  writeDelta(to, value, base, near.bytes);
  return to.finish();
}
