import { concat, EMPTY, equal } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { ByteReader, ByteWriter, FormatError } from '../bytes.js';
import { PREFIX } from '../keys.js';
import { CorruptionError } from '../errors.js';
import type { SealingOperation, StoredValue } from '../rows/row.js';
import { FLOOR_KEY } from '../state/tables.js';
import { readDifference, writeDifference } from './difference.js';
import {
  baseIdIn,
  baseKey,
  ENVELOPE,
  kindOf,
  numberIn,
  RECORD,
  RELICS_KEY,
  RESULTS,
  rowOfRecord,
  TRACE,
  UNDO,
  WRITES,
  type Kind,
} from './kinds.js';
import { isServed, presentOf, type Present } from './present-base.js';
import { decodeRelics, encodeRelics, type Relic } from './relics.js';

/** The near rows are of the same record: for a row of this build, and of one that wrote records of version 1. */
const OF_ITS_RECORD = 2;
const OF_ITS_EARLIER_RECORD = 1;

/** Reads a row as it is stored, with its checksum compared. */
export type ReadStored = (key: Uint8Array) => StoredValue | undefined;

/** A row against which later ones may be encoded. */
interface Near {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * Packs rows that repeat from block to block: stores each as its difference from a base and from near rows. A base is
 * a row of its own, against which many rows are encoded (docs/interfaces/log-record.md). Near rows name the same hashes
 * and amounts: for a record row the one before as it is stored, for state writes their record row, for results both,
 * for an undo page the state writes of the block before. Where pruning deletes the record before one that is kept, its
 * bytes stay in a row of their own, the relic. Readers see whole rows. The bytes of a packed row: number of the base;
 * where the near row is (`OF_ITS_RECORD`, how far back a record row is, or the position of the record for an undo page;
 * zero without one); the difference.
 */
export class RowPacking {
  readonly #read: ReadStored;
  readonly #bases = new Map<number, Uint8Array>();
  /** Rows that were unpacked, because others are encoded against them. */
  readonly #near = new Map<number, Uint8Array>();
  readonly #present = new Map<Kind, Present | undefined>();
  /** The record row of the last block as it is stored, and its state writes. */
  #lastRecord: Near | undefined;
  #lastWrites: Near | undefined;

  constructor(read: ReadStored) {
    this.#read = read;
  }

  /** Kinds whose last base is not known yet, among those that operations put. */
  unknown(operations: readonly StoreOperation[]): readonly Kind[] {
    const kinds = new Set<Kind>();
    for (const { type, key } of operations) {
      const kind = type === 'put' ? kindOf(key) : undefined;
      if (kind !== undefined && !this.#present.has(kind)) kinds.add(kind);
    }
    return [...kinds];
  }

  /** Takes the key of the last base of a kind, which an earlier process wrote; undefined when there is none. */
  know(kind: Kind, key: Uint8Array | undefined): void {
    if (this.#present.has(kind)) return;
    this.#present.set(kind, key === undefined ? undefined : presentOf(baseIdIn(key), this.#base(kind, baseIdIn(key))));
  }

  /** The operations with rows by their difference where that is shorter, and with new bases. */
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
        packed.push(...this.#relicOf(operation.key));
      else this.#pack(kind, operation.key, operation.value, own, packed);
    }
    if (isFloor && pruned !== undefined) this.#removeBases(pruned, packed);
    return packed;
  }

  /** True for a row that is put as it is: the record before it is about to be pruned. */
  #isPutAgain(key: Uint8Array, value: Uint8Array): boolean {
    const stored = this.#read(key);
    return stored?.isPacked === true && equal(this.unpack(key, stored), value);
  }

  /** Keeps the row against which a packed record row is encoded. The latter stays as it is, for later ones. */
  #relicOf(key: Uint8Array): readonly SealingOperation[] {
    const from = new ByteReader(this.#stored(key).value);
    from.count();
    const code = from.count();
    if (code === 0) return [];
    const position = numberIn(key) - code;
    const value = encodeRelics({ position, bytes: this.#storedRecord(position) }, this.#relics());
    return [{ type: 'put', key: RELICS_KEY, value }];
  }

  /** The bytes of a record row as it is stored, or was before it was pruned. */
  #storedRecord(position: number): Uint8Array {
    const key = rowOfRecord(RECORD, position);
    const found = this.#read(key)?.value ?? this.#relics().find((relic) => relic.position === position)?.bytes;
    return found ?? this.#stored(key).value;
  }

  #relics(): readonly Relic[] {
    return decodeRelics(this.#read(RELICS_KEY)?.value);
  }

  /**
   * Deletes bases that no undo page after `pruned`, the last one that pruning deletes, needs: a page is encoded against
   * the base of the page before or a later one. One more stays for a reader that has just read a page.
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

  /** The whole value of a row. Throws CorruptionError that names it, also where another that it needs is damaged. */
  unpack(key: Uint8Array, { value, isPacked }: StoredValue): Uint8Array {
    if (!isPacked) return value;
    try {
      const kind = kindOf(key);
      if (kind !== RECORD && kind !== ENVELOPE && kind !== WRITES) return this.#unpack(key, value);
      // Rows that are encoded against them are read next.
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
    const bytes = differenceOf(present, value, near);
    const isShorter = bytes.length < value.length;
    const stored = isShorter ? bytes : value;
    to.push({ type: 'put', key, value: stored, ...(isShorter && { isPacked: true }) });
    if (kind === RECORD) this.#lastRecord = { number, bytes: stored };
    if (kind === WRITES) this.#lastWrites = { number, bytes: value };
    if (isServed(present, bytes.length, value.length)) return;
    this.#begin(kind, present.id + 1, value, to);
  }

  /** Makes the value the base of the rows that follow. */
  #begin(kind: Kind, id: number, value: Uint8Array, to: SealingOperation[]): Present {
    const present = presentOf(id, value.slice());
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
    return readDifference(from, base, near, FIXED_LIMITS.packedRowBytes.most);
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
      this.#bases.get(name) ?? kept(this.#bases, name, this.#stored(baseKey(kind, id)).value, FIXED_LIMITS.keptBases)
    );
  }

  #stored(key: Uint8Array): StoredValue {
    const found = this.#read(key);
    if (found === undefined) throw new CorruptionError('row against which it is encoded is missing', { key: hex(key) });
    return found;
  }

  /** A row is deleted: no further row is encoded against it. */
  #forget(kind: typeof RECORD | typeof WRITES, number: number): void {
    this.#near.delete(nameOf(kind, number));
    if (this.#lastRecord?.number === number) this.#lastRecord = undefined;
    if (this.#lastWrites?.number === number) this.#lastWrites = undefined;
  }
}

/** Twice the rows of a block that its other rows and those of the next block are encoded against. */
const NEAR_ROWS = 4;

/** A name for a section of a record, or for a base. */
function nameOf(kind: Kind, number: number): number {
  return number * 8 + kind;
}

function kept(map: Map<number, Uint8Array>, name: number, bytes: Uint8Array, most: number): Uint8Array {
  map.set(name, bytes);
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
  return bytes;
}

function differenceOf({ id, base }: Present, value: Uint8Array, near: Near & { readonly code: number }): Uint8Array {
  const to = new ByteWriter(FIXED_LIMITS.packedRowBytes.most / 8);
  to.uint(id);
  to.uint(near.code);
  writeDifference(to, value, base, near.bytes);
  return to.finish();
}
