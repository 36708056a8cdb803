import type { Timers } from '../../core/ports/time.js';

export interface GroupsOptions<Item, Handled> {
  /** Maximum number of items in a group. */
  readonly size: number;
  /** Maximum time of a group in milliseconds; further items wait for the next group. */
  readonly milliseconds: number;
  readonly timers: Pick<Timers, 'yield'>;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  /** Must not throw. */
  readonly handle: (item: Item) => Handled;
  /** Called for each handled item after the whole group; must not throw. */
  readonly finish: (item: Item, handled: Handled) => void;
}

/**
 * Collects items that arrive in one turn of the event loop and handles them as a group after everything was read, in
 * arrival order. One group is handled per turn, so that timers and other events run between groups.
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
