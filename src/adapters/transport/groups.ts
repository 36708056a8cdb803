import type { Timers } from '../../core/ports/time.js';

export interface GroupsOptions<Item, Handled> {
  /** Items of one group. */
  readonly size: number;
  /** Time of one group, after which the next item waits for the next group, milliseconds. */
  readonly milliseconds: number;
  readonly timers: Pick<Timers, 'yield'>;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Must not throw. */
  readonly handle: (item: Item) => Handled;
  /** Takes each handled item after the whole group; must not throw. */
  readonly finish: (item: Item, handled: Handled) => void;
}

/**
 * Handles what arrives within one turn of the event loop together, after everything was read, in the order of its
 * arrival: one group in each turn, so that timers and other threads get their turn between two groups.
 */
export class Groups<Item, Handled> {
  readonly #options: GroupsOptions<Item, Handled>;
  readonly #waiting: Item[] = [];

  constructor(options: GroupsOptions<Item, Handled>) {
    this.#options = options;
  }

  add(item: Item): void {
    if (this.#waiting.push(item) === 1) this.#handleLater();
  }

  #handleLater(): void {
    void this.#options.timers.yield().then(() => this.#handleGroup());
  }

  #handleGroup(): void {
    const { size, milliseconds, elapsed, handle, finish } = this.#options;
    const end = elapsed() + milliseconds;
    const group: (readonly [Item, Handled])[] = [];
    for (const item of this.#waiting.slice(0, size)) {
      group.push([item, handle(item)]);
      if (elapsed() >= end) break;
    }
    this.#waiting.splice(0, group.length);
    if (this.#waiting.length > 0) this.#handleLater();
    for (const [item, handled] of group) finish(item, handled);
  }
}
