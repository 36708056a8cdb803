import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ordered, type Unit } from './unit.js';

/** The band would hold more events of one block than a search may. */
export class BandFull extends Error {
  override readonly name = 'BandFull';
}

/** Digits of a number of 32 bits that are sorted in one pass. */
const DIGITS = [0, 16] as const;
const VALUES = 1 << 16;

/**
 * Postings in any order, of which those of the lowest units are kept: when there are more than a search may hold, the
 * upper half of the units goes. In plain arrays of numbers, sorted in slices: there are up to a million.
 */
export class Band {
  readonly #low: number;
  readonly #held: number;
  readonly #pause: () => Promise<void>;
  /** The first unit that is not kept; units are counted from `low`. */
  #end = 2 ** 32;
  #units: Uint32Array<ArrayBuffer> = new Uint32Array(FIXED_LIMITS.searchedAtOnce * 2);
  #codes: Float64Array<ArrayBuffer> = new Float64Array(FIXED_LIMITS.searchedAtOnce * 2);
  #length = 0;
  #at = 0;

  /** Keeps units from `low` on, with about `held` postings at most. */
  constructor(low: number, held: number, pause: () => Promise<void>) {
    this.#low = low;
    this.#held = held;
    this.#pause = pause;
  }

  /** True when no unit was left out. */
  get isWhole(): boolean {
    return this.#end === 2 ** 32;
  }

  /** The first unit that was left out. */
  get above(): number {
    return this.#low + this.#end;
  }

  /** True for a unit that is kept. */
  covers(at: number): boolean {
    return at >= this.#low && at < this.#low + this.#end;
  }

  /** Takes a posting of a unit that is covered. */
  add(at: number, code: number): void {
    if (this.#length === this.#units.length) this.#grow();
    this.#units[this.#length] = at - this.#low;
    this.#codes[this.#length] = code;
    this.#length += 1;
  }

  /** Called between slices of work: drops what is too much. With `isEnd` all postings are there, and are sorted. */
  async settle(isEnd = false): Promise<void> {
    while (this.#length > this.#held) {
      await this.#pause();
      this.#cut();
    }
    if (isEnd) for (const shift of DIGITS) await this.#sortBy(shift);
    await this.#rest();
  }

  /** The first unit at or above `from`, which never goes back; undefined when the band has none. */
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

  /** Leaves about the lower half of the postings: the units below the median of a sample. */
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
    if (kept === this.#length) throw new BandFull('one block has more postings than a search holds');
    this.#length = kept;
  }

  /** A pass of a stable sort by 16 bits of the unit. */
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

  /** A short band is no work to speak of. */
  async #rest(): Promise<void> {
    if (this.#length >= FIXED_LIMITS.searchedAtOnce) await this.#pause();
  }
}
