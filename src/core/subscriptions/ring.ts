/**
 * The commits that some socket has not read yet, once for all sockets: each reader is a cursor into the ring, not a queue
 * (design section 7). A commit leaves when its last reader has passed it.
 */

/** A part of a notification that is the same for every subscriber, and for whom it is. */
export interface RingFrame<Target> {
  readonly target: Target;
  readonly body: string;
}

interface Entry<Reader, Target> {
  /** By those who have not read them. */
  readonly frames: Map<Reader, readonly RingFrame<Target>[]>;
  /** Bytes of the different bodies and of the places that point to them. */
  readonly bytes: number;
}

/** Where a reader stands. It is kept by the reader itself, so that a delivery looks nothing up. */
export interface RingPlace {
  sequence: number;
  /** Frames of the entry that were read. */
  offset: number;
  /** Length of what was not read; everything was read when there is no place. */
  backlog: number;
}

export interface RingReader {
  /** Owned by the ring. */
  place: RingPlace | undefined;
}

/** What one frame of one reader takes in memory, about. */
const FRAME_BYTES = 64;

export interface RingLimits {
  readonly ringCommits: number;
  readonly ringBytes: number;
}

export class DeliveryRing<Reader extends RingReader, Target> {
  readonly #limits: RingLimits;
  readonly #entries = new Map<number, Entry<Reader, Target>>();
  #next = 0;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  /** Commits that are held, for metrics and tests. */
  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends a commit. The map is the ring's from now on. */
  publish(frames: Map<Reader, readonly RingFrame<Target>[]>): void {
    if (frames.size === 0) return;
    const sequence = this.#next;
    this.#next += 1;
    const bodies = new Set<string>();
    let last: string | undefined;
    let bytes = 0;
    for (const [reader, list] of frames) {
      let length = 0;
      bytes += list.length * FRAME_BYTES;
      for (const { body } of list) {
        if (body !== last) bodies.add(body);
        last = body;
        length += body.length;
      }
      const { place } = reader;
      if (place === undefined) reader.place = { sequence, offset: 0, backlog: length };
      else place.backlog += length;
    }
    for (const body of bodies) bytes += body.length;
    this.#entries.set(sequence, { frames, bytes });
    this.#bytes += bytes;
  }

  /** Readers of the oldest commit while the ring holds more than it may: they must leave. */
  *overdue(): Generator<Reader> {
    while (this.#entries.size > this.#limits.ringCommits || this.#bytes > this.#limits.ringBytes) {
      const oldest = this.#entries.values().next();
      if (oldest.done === true) return;
      yield* [...oldest.value.frames.keys()];
    }
  }

  /** The next frame of a reader; undefined when it has read everything. */
  peek(reader: Reader): RingFrame<Target> | undefined {
    const { place } = reader;
    return place === undefined ? undefined : this.#entries.get(place.sequence)?.frames.get(reader)?.[place.offset];
  }

  /** Moves on by one frame. */
  advance(reader: Reader): void {
    const { place } = reader;
    const frames = place === undefined ? undefined : this.#entries.get(place.sequence)?.frames.get(reader);
    if (place === undefined || frames === undefined) return;
    place.backlog -= frames[place.offset]?.body.length ?? 0;
    place.offset += 1;
    if (place.offset < frames.length) return;
    this.#release(place.sequence, reader);
    place.offset = 0;
    do place.sequence += 1;
    while (place.sequence < this.#next && this.#entries.get(place.sequence)?.frames.has(reader) !== true);
    if (place.sequence === this.#next) reader.place = undefined;
  }

  /** The reader leaves, read or not. */
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
