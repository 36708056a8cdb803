/** Items that are made while their reader takes them. The reader takes all of them or calls `end`. */
export interface PullStream<Item> {
  /** The next item, or undefined behind the last one; one call at a time. Rejects when the rest cannot be made. */
  next(): Promise<Item | undefined>;
  /** The reader takes no more items: no more are made. Without effect behind the last one. */
  end(): void;
}

/** A stream of items that are there already. */
export function streamOf<Item>(items: Iterable<Item>): PullStream<Item> {
  const iterator = items[Symbol.iterator]();
  return {
    next() {
      const step = iterator.next();
      return Promise.resolve(step.done === true ? undefined : step.value);
    },
    end: () => void iterator.return?.(),
  };
}

/** The same stream; `release` is called once, when its reader has taken the last item or takes no more. */
export function releasedAtEnd<Item>(stream: PullStream<Item>, release: () => void): PullStream<Item> {
  let isReleased = false;
  const once = (): void => {
    if (!isReleased) release();
    isReleased = true;
  };
  return {
    async next() {
      let item: Item | undefined;
      try {
        item = await stream.next();
      } finally {
        if (item === undefined) once();
      }
      return item;
    },
    end() {
      stream.end();
      once();
    },
  };
}

/** The same stream with an item before the first and one behind the last. */
export function framed<Item>(stream: PullStream<Item>, first: Item, last: Item): PullStream<Item> {
  let state: 'before' | 'within' | 'behind' = 'before';
  return {
    async next() {
      if (state === 'behind') return undefined;
      if (state === 'before') {
        state = 'within';
        return first;
      }
      const item = await stream.next();
      if (item !== undefined) return item;
      state = 'behind';
      return last;
    },
    end: () => stream.end(),
  };
}

/** The items of a generator; `end` ends what it waits for. */
export function streamFrom<Item>(items: AsyncGenerator<Item, void>, end: () => void): PullStream<Item> {
  return {
    async next() {
      const step = await items.next();
      return step.done === true ? undefined : step.value;
    },
    end,
  };
}
