/** Binary heap: `take` removes the first item in the order of `before`. */
export class Heap<Item> {
  readonly #items: Item[] = [];

  constructor(private readonly before: (a: Item, b: Item) => boolean) {}

  put(item: Item): void {
    this.#items.push(item);
    let at = this.#items.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#precedes(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  take(): Item | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (first === undefined || last === undefined || this.#items.length === 0) return first;
    this.#items[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let best = at;
      if (left < this.#items.length && this.#precedes(left, best)) best = left;
      if (right < this.#items.length && this.#precedes(right, best)) best = right;
      if (best === at) return first;
      this.#swap(at, best);
      at = best;
    }
  }

  #precedes(a: number, b: number): boolean {
    const left = this.#items[a];
    const right = this.#items[b];
    return left !== undefined && right !== undefined && this.before(left, right);
  }

  #swap(a: number, b: number): void {
    const left = this.#items[a];
    const right = this.#items[b];
    if (left === undefined || right === undefined) return;
    this.#items[a] = right;
    this.#items[b] = left;
  }
}
