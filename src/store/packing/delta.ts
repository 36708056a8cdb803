/**
 * Delta encoding: a value as runs copied from other bytes, and literals between them. Rows of one kind repeat from
 * block to block with some numbers and hashes changed.
 */
import { type ByteReader, type ByteWriter, FormatError } from '../bytes.js';

/** Shortest run worth copying; a shorter one is enough at an expected place, which takes fewer bytes to encode. */
const SHORTEST_RUN = 6;
const SHORTEST_EXPECTED_RUN = 4;
/** Number of bytes hashed to find earlier occurrences. */
const KEY_BYTES = 4;
const NEAR_BITS = 11;
/**
 * Distance between indexed places of the near bytes; short near bytes are indexed at every place. A run is extended
 * backwards, so its beginning need not be indexed.
 */
const NEAR_STEP = 4;
const SHORT_NEAR = 1_024;
/** After 2^STEP_BITS consecutive literals, places are skipped (see below). */
const STEP_BITS = 3;
/** Shortest run of hexadecimal digits that is packed, two digits per byte. */
const SHORTEST_NUMBER = 10;
/**
 * Codes for where a run begins: at the distance of the previous run, at that of the one before it, or at an explicit
 * distance.
 */
const AS_BEFORE = 0;
const AS_EARLIER = 1;
const FIRST_DISTANCE = 2;

/** Hash table from the hash of the bytes at a place to the place plus one; zero for none. */
interface Places {
  readonly table: Int32Array;
  readonly shift: number;
}

/** Base bytes against which values are encoded, with their hash table. */
export interface Base {
  readonly bytes: Uint8Array;
  readonly places: Places;
}

/** Prepares base bytes, against which many rows are encoded. */
export function baseOf(bytes: Uint8Array): Base {
  const bits = Math.max(8, Math.ceil(Math.log2(bytes.length + 1)) + 1);
  const places = { table: new Int32Array(1 << bits), shift: 32 - bits };
  note(places, bytes, 0, bytes.length, 1);
  return { bytes, places };
}

/** Hash table of the near bytes and the value itself; cleared for each row. */
const nearPlaces: Places = { table: new Int32Array(1 << NEAR_BITS), shift: 32 - NEAR_BITS };

/**
 * Appends a delta. Runs are copied from the concatenation of the base, the bytes `near`, and the value so far. Format:
 * number of bytes; then alternately literals and a run. Literals: twice their number, plus one when they are packed
 * hexadecimal digits; the bytes. Run: its length and, unless that is zero, where it begins (`AS_BEFORE`, `AS_EARLIER`,
 * or the zigzag difference from the previous distance, plus 2).
 */
export function writeDelta(to: ByteWriter, value: Uint8Array, base: Base, near: Uint8Array): void {
  const start = base.bytes.length + near.length;
  const end = start + value.length;
  const source = joined(base.bytes, near, value.length);
  source.set(value, start);
  nearPlaces.table.fill(0);
  note(nearPlaces, source, base.bytes.length, start, near.length > SHORT_NEAR ? NEAR_STEP : 1);
  to.uint(value.length);
  const { table: nearTable, shift: nearShift } = nearPlaces;
  const { table: baseTable, shift: baseShift } = base.places;
  let lead = -start;
  let earlier = -start;
  let literals = start;
  let at = start;
  while (at < end) {
    let from = at + lead;
    let length = runAt(source, from, at, end);
    if (length < SHORTEST_EXPECTED_RUN) {
      from = at + earlier;
      length = runAt(source, from, at, end);
    }
    if (length < SHORTEST_EXPECTED_RUN) {
      length = SHORTEST_RUN - 1;
      from = -1;
      if (at + KEY_BYTES <= end) {
        const slot = slotAt(source, at, nearShift);
        const near = (nearTable[slot] ?? 0) - 1;
        nearTable[slot] = at + 1;
        const nearRun = runAt(source, near, at, end);
        if (nearRun > length) {
          length = nearRun;
          from = near;
        }
        const far = (baseTable[slotAt(source, at, baseShift)] ?? 0) - 1;
        const farRun = runAt(source, far, at, end);
        if (farRun > length) {
          length = farRun;
          from = far;
        }
      }
      if (from < 0) {
        // Signatures and hashes never match: the longer the literals, the fewer places are tried.
        at += 1 + ((at - literals) >> STEP_BITS);
        if (at > end) at = end;
        continue;
      }
    }
    while (at > literals && from > 0 && source[from - 1] === source[at - 1]) {
      at -= 1;
      from -= 1;
      length += 1;
    }
    writeLiterals(to, source, literals, at);
    to.uint(length);
    const next = from - at;
    if (next === lead) to.uint(AS_BEFORE);
    else {
      const off = next - lead;
      to.uint(next === earlier ? AS_EARLIER : FIRST_DISTANCE + (off > 0 ? off * 2 : -off * 2 - 1));
      earlier = lead;
      lead = next;
    }
    at += length;
    literals = at;
  }
  if (literals < end) writeLiterals(to, source, literals, end);
}

/** Writes literals in pieces separated by empty runs: long hexadecimal numbers packed, everything else plain. */
function writeLiterals(to: ByteWriter, source: Uint8Array, start: number, end: number): void {
  let from = start;
  let digits = 0;
  for (let at = start; at <= end; at += 1) {
    if (at < end && isDigit(source[at] ?? 0)) {
      digits += 1;
      continue;
    }
    const even = digits - (digits % 2);
    const first = at - digits;
    digits = 0;
    if (even < SHORTEST_NUMBER) continue;
    if (first > from) {
      writePlain(to, source, from, first);
      to.uint(0);
    }
    to.uint(even * 2 + 1);
    for (let place = first; place < first + even; place += 2)
      to.byte((valueOfDigit(source[place] ?? 0) << 4) | valueOfDigit(source[place + 1] ?? 0));
    from = first + even;
    if (from === end) return;
    to.uint(0);
  }
  writePlain(to, source, from, end);
}

function writePlain(to: ByteWriter, source: Uint8Array, start: number, end: number): void {
  to.uint((end - start) * 2);
  for (let at = start; at < end; at += 1) to.byte(source[at] ?? 0);
}

/** Inverse of `writeDelta`; throws FormatError, also for results above `maximum` bytes. */
export function readDelta(from: ByteReader, base: Uint8Array, near: Uint8Array, maximum: number): Uint8Array {
  const size = from.count();
  if (size > maximum) throw new FormatError('a difference of too many bytes');
  const start = base.length + near.length;
  const end = start + size;
  const all = joined(base, near, size);
  let lead = -start;
  let earlier = -start;
  let at = start;
  while (at < end) {
    at = readLiterals(from, all, at, end);
    if (at === end) break;
    const length = from.count();
    if (length === 0) continue;
    const where = from.count();
    if (where !== AS_BEFORE) {
      const distance = where - FIRST_DISTANCE;
      const next = where === AS_EARLIER ? earlier : lead + (distance % 2 === 0 ? distance / 2 : -(distance + 1) / 2);
      earlier = lead;
      lead = next;
    }
    const place = at + lead;
    if (place < 0 || place >= at || length > end - at) throw new FormatError('a run lies outside of its source');
    if (place + length <= at) all.copyWithin(at, place, place + length);
    else for (let index = 0; index < length; index += 1) all[at + index] = all[place + index] ?? 0;
    at += length;
  }
  from.end();
  return all.slice(start, end);
}

/** Reads literals into `all` at `at`; returns the place after them. */
function readLiterals(from: ByteReader, all: Uint8Array, at: number, end: number): number {
  const count = from.count();
  const length = Math.floor(count / 2);
  if (length > end - at) throw new FormatError('literals beyond the end of a difference');
  if (count % 2 === 0) {
    all.set(from.raw(length), at);
    return at + length;
  }
  if (length % 2 !== 0) throw new FormatError('an odd number of digits');
  const bytes = from.raw(length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    all[at + 2 * index] = digitOf(byte >> 4);
    all[at + 2 * index + 1] = digitOf(byte & 0x0f);
  }
  return at + length;
}

let room = new Uint8Array(0);

/** Concatenates base and near bytes, with space for a value, in a reused buffer. */
function joined(base: Uint8Array, near: Uint8Array, size: number): Uint8Array {
  const length = base.length + near.length + size;
  if (room.length < length) room = new Uint8Array(length * 2);
  room.set(base);
  room.set(near, base.length);
  return room;
}

/** Length of the match between `place` and `at`; zero when `place` cannot be copied from. */
function runAt(source: Uint8Array, place: number, at: number, end: number): number {
  if (place < 0 || place >= at || source[place] !== source[at]) return 0;
  const maximum = end - at;
  let length = 1;
  while (length < maximum && source[place + length] === source[at + length]) length += 1;
  return length;
}

function note({ table, shift }: Places, bytes: Uint8Array, from: number, end: number, step: number): void {
  for (let at = from; at + KEY_BYTES <= end; at += step) table[slotAt(bytes, at, shift)] = at + 1;
}

function slotAt(bytes: Uint8Array, at: number, shift: number): number {
  const word =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return Math.imul(word, 0x9e3779b1) >>> shift;
}

const isDigit = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
const valueOfDigit = (byte: number): number => (byte <= 0x39 ? byte - 0x30 : byte - 0x57);
const digitOf = (value: number): number => (value < 10 ? value + 0x30 : value + 0x57);
