import type { Observable } from 'rxjs';

export interface FeedOptions {
  /** Number of items buffered for a slow reader. */
  readonly capacity: number;
  readonly signal: AbortSignal;
}

/**
 * The only exit from RxJS: an async iterable that subscribes immediately and ends when the reader falls behind by more
 * than `capacity` items, when the source completes, or on abort. Delivered items are always a gapless prefix; resume
 * from the position of the last item.
 */
export function feedEndingOnOverflow<Item>(
  source: Observable<Item>,
  options: FeedOptions,
): AsyncIterableIterator<Item> {
  const items: Item[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const signalReader = (): void => {
    wake?.();
    wake = undefined;
  };
  const end = (): void => {
    ended = true;
    subscription.unsubscribe();
    options.signal.removeEventListener('abort', leave);
    signalReader();
  };
  const leave = (): void => {
    items.length = 0;
    end();
  };
  const subscription = source.subscribe({
    next(item) {
      if (ended) return;
      if (items.length < options.capacity) {
        items.push(item);
        signalReader();
        return;
      }
      end();
    },
    complete: () => queueMicrotask(end),
  });
  if (options.signal.aborted) leave();
  else options.signal.addEventListener('abort', leave, { once: true });

  return {
    async next() {
      while (items.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      const item = items.shift();
      return item === undefined ? { done: true, value: undefined } : { done: false, value: item };
    },
    async return() {
      leave();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
