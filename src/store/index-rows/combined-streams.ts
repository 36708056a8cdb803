import { ordered, type Unit, type UnitStream } from './unit.js';

/** Union: the events of any of the streams. */
export class UnionStream implements UnitStream {
  readonly #streams: readonly UnitStream[];

  constructor(streams: readonly UnitStream[]) {
    this.#streams = streams;
  }

  async seek(from: number): Promise<Unit | undefined> {
    const units: Unit[] = [];
    for (const stream of this.#streams) {
      const unit = await stream.seek(from);
      if (unit !== undefined) units.push(unit);
    }
    const [first] = units;
    if (first === undefined) return undefined;
    const at = units.reduce((least, unit) => Math.min(least, unit.at), first.at);
    return { at, codes: ordered(units.filter((unit) => unit.at === at).flatMap(({ codes }) => codes)) };
  }
}

/**
 * Intersection: the events that all streams have. Each stream is read from where the others are, so that units in one
 * stream only are skipped.
 */
export class IntersectionStream implements UnitStream {
  readonly #streams: readonly UnitStream[];

  constructor(streams: readonly UnitStream[]) {
    this.#streams = streams;
  }

  seek(from: number): Unit | undefined | Promise<Unit | undefined> {
    const [only, second] = this.#streams;
    return second === undefined ? only?.seek(from) : this.#meet(from);
  }

  async #meet(from: number): Promise<Unit | undefined> {
    let at = from;
    /** Number of streams with a unit at `at`, and the events common to them. */
    let agreed = 0;
    let codes: readonly number[] = [];
    while (agreed < this.#streams.length) {
      const found = this.#streams[agreed]?.seek(at);
      const unit = found instanceof Promise ? await found : found;
      if (unit === undefined) return undefined;
      if (agreed > 0 && unit.at > at) {
        // Start over with the first stream at this unit.
        agreed = 0;
        at = unit.at;
        continue;
      }
      codes = agreed === 0 ? unit.codes : common(codes, unit.codes);
      at = unit.at;
      agreed += 1;
      if (codes.length > 0) continue;
      agreed = 0;
      at += 1;
    }
    return { at, codes };
  }
}

/** Intersection of two ascending lists. */
function common(left: readonly number[], right: readonly number[]): readonly number[] {
  const both: number[] = [];
  let at = 0;
  for (const one of left) {
    while ((right[at] ?? Number.POSITIVE_INFINITY) < one) at += 1;
    if (right[at] === one) both.push(one);
  }
  return both;
}
