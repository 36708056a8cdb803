import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ordered, type Unit } from './unit.js';

/** One block alone has more matching events than a search may hold. */
export class TooManyPostings extends Error {
  override readonly name = 'TooManyPostings';
}

/** Shifts of the two 16-bit digits by which the radix sort orders 32-bit units. */
const DIGITS = [0, 16] as const;
const VALUES = 1 << 16;

/**
 * Collects postings that arrive in any order and keeps those of the lowest units: above the limit, about the upper half
 * of the units is dropped. Plain number arrays, sorted in slices, because there may be a million.
 */
export class LowestPostings {
  readonly #low: number;
  readonly #held: number;
  readonly #pause: () => Promise<void>;
  /** The first unit that is not kept, relative to `low`. */
  #end = 2 ** 32;
  #units: Uint32Array<ArrayBuffer> = new Uint32Array(FIXED_LIMITS.searchPostingsPerTurn * 2);
  #codes: Float64Array<ArrayBuffer> = new Float64Array(FIXED_LIMITS.searchPostingsPerTurn * 2);
  #length = 0;
  #at = 0;

  /** Keeps units from `low` on, and at most about `held` postings. */
  constructor(low: number, held: number, pause: () => Promise<void>) {
    this.#low = low;
    this.#held = held;
    this.#pause = pause;
  }

  /** True when no unit was dropped. */
  get isWhole(): boolean {
    return this.#end === 2 ** 32;
  }

  /** The first unit that was dropped. */
  get above(): number {
    return this.#low + this.#end;
  }

  /** True when postings of this unit are still kept. */
  covers(at: number): boolean {
    return at >= this.#low && at < this.#low + this.#end;
  }

  /** Adds a posting; `covers(at)` must be true. */
  add(at: number, code: number): void {
    if (this.#length === this.#units.length) this.#grow();
    this.#units[this.#length] = at - this.#low;
    this.#codes[this.#length] = code;
    this.#length += 1;
  }

  /**
   * Drops postings above the limit; call it between slices of work. With `isEnd`, no postings follow and the kept ones
   * are sorted.
   */
  async settle(isEnd = false): Promise<void> {
    while (this.#length > this.#held) {
      await this.#pause();
      this.#cut();
    }
    if (isEnd) for (const shift of DIGITS) await this.#sortBy(shift);
    await this.#rest();
  }

  /** The first kept unit at or above `from`; undefined when there is none. `from` must not decrease between calls. */
  seek(from: number): Unit | undefined {
    const first = from - this.#low;
    while (this.#at < this.#length && (this.#units[this.#at] ?? 0) < first) this.#at += 1;
    if (this.#at >= this.#length) return undefined;
    const unit = this.#units[this.#at] ?? 0;
    const codes: number[] = [];
    for (let at = this.#at; at < this.#length && this.#units[at] === unit; at += 1) codes.push(this.#codes[at] ?? 0);
    return { at: this.#low + unit, codes: ordered(codes) };
  }

  #grow(): void {
    const length = this.#length * 2;
    const [units, codes] = [new Uint32Array(length), new Float64Array(length)];
    units.set(this.#units);
    codes.set(this.#codes);
    this.#units = units;
    this.#codes = codes;
  }

  /** Keeps about the lower half of the postings: the units below the median of a sample. */
  #cut(): void {
    const step = Math.ceil(this.#length / 1_024);
    const sample = Uint32Array.from(
      { length: Math.floor(this.#length / step) },
      (_, at) => this.#units[at * step] ?? 0,
    );
    sample.sort();
    const end = sample[sample.length >> 1] ?? 0;
    const [least = 0] = sample;
    this.#end = end > least ? end : least + 1;
    let kept = 0;
    for (let at = 0; at < this.#length; at += 1) {
      const unit = this.#units[at] ?? 0;
      if (unit >= this.#end) continue;
      this.#units[kept] = unit;
      this.#codes[kept] = this.#codes[at] ?? 0;
      kept += 1;
    }
    if (kept === this.#length) throw new TooManyPostings('one block has more postings than a search may hold');
    this.#length = kept;
  }

  /** One pass of the radix sort, stable, by 16 bits of the unit. */
  async #sortBy(shift: (typeof DIGITS)[number]): Promise<void> {
    const places = new Uint32Array(VALUES + 1);
    const digit = (at: number): number => ((this.#units[at] ?? 0) >>> shift) & (VALUES - 1);
    for (let at = 0; at < this.#length; at += 1) places[digit(at) + 1] = (places[digit(at) + 1] ?? 0) + 1;
    for (let value = 0; value < VALUES; value += 1) places[value + 1] = (places[value + 1] ?? 0) + (places[value] ?? 0);
    const units = new Uint32Array(this.#length);
    const codes = new Float64Array(this.#length);
    await this.#rest();
    for (let at = 0; at < this.#length; at += 1) {
      const to = places[digit(at)] ?? 0;
      places[digit(at)] = to + 1;
      units[to] = this.#units[at] ?? 0;
      codes[to] = this.#codes[at] ?? 0;
    }
    this.#units = units;
    this.#codes = codes;
    await this.#rest();
  }

  /** Pauses only when there are enough postings to take noticeable time. */
  async #rest(): Promise<void> {
    if (this.#length >= FIXED_LIMITS.searchPostingsPerTurn) await this.#pause();
  }
}
