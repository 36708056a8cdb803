import type { PullStream } from '../../core/ports/pull-stream.js';

/** Adds a first and a last item to a stream. */
export function framed<Item>(stream: PullStream<Item>, first: Item, last: Item): PullStream<Item> {
  let state: 'before' | 'within' | 'after' = 'before';
  return {
    async next() {
      if (state === 'after') return undefined;
      if (state === 'before') {
        state = 'within';
        return first;
      }
      const item = await stream.next();
      if (item !== undefined) return item;
      state = 'after';
      return last;
    },
    end: () => stream.end(),
  };
}

/** Converts a generator to a stream; `end` cancels what the generator awaits. */
export function streamFrom<Item>(items: AsyncGenerator<Item, void>, end: () => void): PullStream<Item> {
  return {
    async next() {
      const step = await items.next();
      return step.done === true ? undefined : step.value;
    },
    end,
  };
}
