import type { PullStream } from '../../core/ports/pull-stream.js';

/** A pull stream over existing items. */
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

/** Wraps a stream and calls `release` once, when the last item was read or the reader ends it. */
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
