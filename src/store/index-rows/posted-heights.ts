/** Rows of the first page; doubled for each following page. */
const FIRST_ROWS = 16;

/** Heights of the rows of one value, read page by page on demand. */
export class PostedHeights {
  readonly #read: (from: bigint, rows: number) => Promise<readonly bigint[]>;
  readonly #mostRows: number;
  #page: readonly bigint[] = [];
  #at = 0;
  #rows = FIRST_ROWS;
  #isLast = false;

  /** `read` returns ascending heights from `from` on; fewer than `rows` means the end. */
  constructor(read: (from: bigint, rows: number) => Promise<readonly bigint[]>, mostRows: number) {
    this.#read = read;
    this.#mostRows = mostRows;
  }

  /** The first height at or above `from`; undefined when there is none. `from` must not decrease between calls. */
  async first(from: bigint): Promise<bigint | undefined> {
    const end = this.#page.at(-1);
    if (end === undefined || end < from) {
      if (this.#isLast) return undefined;
      const isNext = end !== undefined && from === end + 1n;
      this.#rows = Math.min(this.#mostRows, isNext ? this.#rows * 2 : FIRST_ROWS);
      this.#page = await this.#read(from, this.#rows);
      this.#isLast = this.#page.length < this.#rows;
      this.#at = 0;
    }
    while (this.#at < this.#page.length && (this.#page[this.#at] ?? from) < from) this.#at += 1;
    return this.#page[this.#at];
  }
}

/**
 * The first height at or above `from` at which every criterion has a match in one of its alternatives; undefined when
 * there is none.
 */
export async function firstOfAll(
  criteria: readonly (readonly PostedHeights[])[],
  from: bigint,
): Promise<bigint | undefined> {
  for (let height = from; ;) {
    let isOfAll = true;
    for (const alternatives of criteria) {
      const first = await firstOfAny(alternatives, height);
      if (first === undefined) return undefined;
      if (first > height) {
        isOfAll = false;
        height = first;
      }
    }
    if (isOfAll) return height;
  }
}

async function firstOfAny(alternatives: readonly PostedHeights[], from: bigint): Promise<bigint | undefined> {
  let first: bigint | undefined;
  for (const each of alternatives) {
    const height = await each.first(from);
    if (height !== undefined && (first === undefined || height < first)) first = height;
  }
  return first;
}
