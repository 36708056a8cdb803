/**
 * Ring of inputs that some socket has not read yet. Each input is encoded once, and each reader is a cursor into the
 * ring instead of a queue. An input is dropped after its last reader passed it. A reader that holds back more than
 * its share of a full ring is removed and reads the log instead.
 */
import type { Limits } from '../limits/limits.js';
import type { Position } from '../primitives.js';
import type { InputKind } from './criteria.js';

/** One encoded notification, shared by all subscribers with the same form. */
export interface Encoded {
  readonly text: string;
  /** Index of the item within its input. */
  readonly index: number;
}

export interface RingFrame<Target> {
  readonly target: Target;
  readonly body: Encoded;
}

/** Frames of one input for each reader, in delivery order. */
export interface RingInput<Reader, Target> {
  readonly kind: InputKind;
  readonly position: Position;
  readonly frames: Map<Reader, readonly RingFrame<Target>[]>;
}

interface Entry<Reader, Target> extends RingInput<Reader, Target> {
  /** Bytes of the distinct bodies and of the entries that point to them. */
  readonly bytes: number;
}

/** Cursor of a reader. The reader holds it, so that delivery needs no lookup. */
export interface RingCursor {
  sequence: number;
  /** Number of frames of the entry that were read. */
  offset: number;
  /** Unread bytes. A reader without a cursor has read everything. */
  backlog: number;
}

export interface RingReader {
  /** Owned by the ring. */
  place: RingCursor | undefined;
}

/** Unread part of one input: its frames from `offset` on. */
export interface Unread<Target> {
  readonly kind: InputKind;
  readonly position: Position;
  readonly frames: readonly RingFrame<Target>[];
  readonly offset: number;
}

/** Approximate memory of one frame of one reader, bytes. */
const FRAME_BYTES = 64;

export type RingLimits = Pick<Limits, 'ringCommits' | 'ringBytes'>;

/** A ring of inputs with limits on inputs and bytes. `Target` identifies where a reader delivers a frame. */
export class DeliveryRing<Reader extends RingReader, Target> {
  readonly #limits: RingLimits;
  readonly #entries = new Map<number, Entry<Reader, Target>>();
  #next = 0;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  /** Number of inputs in the ring, for metrics and tests. */
  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends an input; the ring takes ownership of its map. */
  publish(input: RingInput<Reader, Target>): void {
    const { frames } = input;
    if (frames.size === 0) return;
    const sequence = this.#next;
    this.#next += 1;
    const bodies = new Set<Encoded>();
    let last: Encoded | undefined;
    let bytes = 0;
    for (const [reader, list] of frames) {
      let length = 0;
      bytes += list.length * FRAME_BYTES;
      for (const { body } of list) {
        if (body !== last) bodies.add(body);
        last = body;
        length += body.text.length;
      }
      const { place } = reader;
      if (place === undefined) reader.place = { sequence, offset: 0, backlog: length };
      else place.backlog += length;
    }
    for (const { text } of bodies) bytes += text.length;
    this.#entries.set(sequence, { ...input, bytes });
    this.#bytes += bytes;
  }

  /**
   * Yields readers of the oldest input while the ring exceeds its limits; the caller must remove each before it takes
   * the next.
   */
  *overdue(): Generator<Reader> {
    while (this.#entries.size > this.#limits.ringCommits || this.#bytes > this.#limits.ringBytes) {
      const oldest = this.#entries.values().next();
      if (oldest.done === true) return;
      yield* [...oldest.value.frames.keys()];
    }
  }

  /** Next frame of a reader; undefined when it has read everything. */
  peek(reader: Reader): RingFrame<Target> | undefined {
    const { place } = reader;
    return place === undefined ? undefined : this.#entries.get(place.sequence)?.frames.get(reader)?.[place.offset];
  }

  /** Advances a reader by one frame. */
  advance(reader: Reader): void {
    const { place } = reader;
    const frames = place === undefined ? undefined : this.#entries.get(place.sequence)?.frames.get(reader);
    if (place === undefined || frames === undefined) return;
    place.backlog -= frames[place.offset]?.body.text.length ?? 0;
    place.offset += 1;
    if (place.offset < frames.length) return;
    this.#release(place.sequence, reader);
    place.offset = 0;
    do place.sequence += 1;
    while (place.sequence < this.#next && this.#entries.get(place.sequence)?.frames.has(reader) !== true);
    if (place.sequence === this.#next) reader.place = undefined;
  }

  /** Unread frames of a reader, oldest first. */
  unread(reader: Reader): readonly Unread<Target>[] {
    const { place } = reader;
    if (place === undefined) return [];
    const unread: Unread<Target>[] = [];
    for (let { sequence, offset } = place; sequence < this.#next; sequence += 1, offset = 0) {
      const entry = this.#entries.get(sequence);
      const frames = entry?.frames.get(reader);
      if (entry === undefined || frames === undefined) continue;
      unread.push({ kind: entry.kind, position: entry.position, frames, offset });
    }
    return unread;
  }

  /** Removes a reader, whether it has read everything or not. */
  leave(reader: Reader): void {
    const { place } = reader;
    if (place === undefined) return;
    reader.place = undefined;
    for (let sequence = place.sequence; sequence < this.#next; sequence += 1) this.#release(sequence, reader);
  }

  #release(sequence: number, reader: Reader): void {
    const entry = this.#entries.get(sequence);
    if (entry === undefined || !entry.frames.delete(reader) || entry.frames.size > 0) return;
    this.#entries.delete(sequence);
    this.#bytes -= entry.bytes;
  }
}
