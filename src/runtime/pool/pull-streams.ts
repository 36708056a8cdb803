import type { PullStream } from '../../core/pull-stream.js';

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

/** Wraps a stream: `release` is called once, when its reader has taken the last item or takes no more. */
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
