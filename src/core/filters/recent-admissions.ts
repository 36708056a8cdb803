import type { Position } from '../primitives.js';

export interface Admissions {
  /** Ethereum transaction hashes in log order. */
  readonly hashes: readonly Uint8Array[];
  /** Position up to which admissions were searched. */
  readonly through: Position;
}

/** Ring of the newest admissions, which all pending filters share. Older admissions are read from the log. */
export class RecentAdmissions {
  readonly #capacity: number;
  readonly #items: { readonly position: Position; readonly hash: Uint8Array }[] = [];
  #oldest = 0;
  /** Admissions up to this position are not in the ring. */
  #floor: Position;
  #newest: Position;

  /** `position`: earlier admissions are not in the ring. */
  constructor(capacity: number, position: Position) {
    this.#capacity = capacity;
    this.#floor = position;
    this.#newest = position;
  }

  /** Position of the newest admission in the ring. */
  get newest(): Position {
    return this.#newest;
  }

  /** Adds an admission; they must come in log order. */
  add(position: Position, hash: Uint8Array): void {
    if (this.#items.length < this.#capacity) {
      this.#items.push({ position, hash });
    } else {
      this.#floor = this.#items[this.#oldest]?.position ?? this.#floor;
      this.#items[this.#oldest] = { position, hash };
      this.#oldest = (this.#oldest + 1) % this.#capacity;
    }
    this.#newest = position;
  }

  /** Skips admissions up to `position`, because no filter needs them now. */
  skip(position: Position): void {
    this.#items.length = 0;
    this.#oldest = 0;
    this.#floor = position;
    this.#newest = position;
  }

  /** The first `maximum` admissions after `position`; undefined when the ring does not go back that far. */
  after(position: Position, maximum: number): Admissions | undefined {
    if (position < this.#floor) return undefined;
    const count = this.#items.length;
    const at = (index: number): { readonly position: Position; readonly hash: Uint8Array } | undefined =>
      this.#items[(this.#oldest + index) % count];
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((at(middle)?.position ?? position) <= position) low = middle + 1;
      else high = middle;
    }
    const end = Math.min(count, low + maximum);
    const hashes: Uint8Array[] = [];
    let through = this.#newest;
    for (let index = low; index < end; index += 1) {
      const item = at(index);
      if (item === undefined) break;
      hashes.push(item.hash);
      through = item.position;
    }
    return { hashes, through: end === count ? this.#newest : through };
  }
}
