import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { of, Subject } from 'rxjs';
import { createSignal, feedEndingOnOverflow } from '../../src/streams/index.js';

describe('signal', () => {
  it('delivers values in one order to every observer, also when an observer emits the next value', () => {
    const { heard, say } = signal();
    const [first, second]: [number[], number[]] = [[], []];
    heard.subscribe((value) => {
      first.push(value);
      if (value < 3) say(value + 1);
    });
    heard.subscribe((value) => second.push(value));
    say(1);
    expect([first, second]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('delivers nothing to an observer that unsubscribed', () => {
    const { heard, say } = signal();
    const seen: number[] = [];
    const subscription = heard.subscribe((value) => seen.push(value));
    say(1);
    subscription.unsubscribe();
    say(2);
    expect(seen).toEqual([1]);
  });

  it('delivers a value neither to an observer that unsubscribed nor to one that subscribed during its delivery', () => {
    const { heard, say } = signal();
    const seen: string[] = [];
    heard.subscribe((value) => {
      leaving.unsubscribe();
      if (value === 1) heard.subscribe((later) => seen.push(`late ${later}`));
    });
    const leaving = heard.subscribe((value) => seen.push(`left ${value}`));
    say(1);
    say(2);
    expect(seen).toEqual(['late 2']);
  });

  it('delivers a value to the others when an observer throws, and rethrows that error separately', async () => {
    const { heard, say } = signal();
    const seen: number[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const thrown = new Promise<unknown>((resolve) => process.once('uncaughtException', resolve));
    heard.subscribe(() => {
      throw new Error('observer');
    });
    heard.subscribe((value) => seen.push(value));
    say(1);
    expect(seen).toEqual([1]);
    expect(await thrown).toMatchObject({ message: 'observer' });
    for (const other of others) process.on('uncaughtException', other);
  });
});

function signal() {
  const made = createSignal<number>();
  return { heard: made.heard, say: (value: number) => made.say(value) };
}

describe('feed that ends on overflow', () => {
  it('yields a gapless prefix of the published items, whatever the reader does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('publish', 'read'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, capacity) => {
          const source = new Subject<number>();
          const feed = feedEndingOnOverflow(source, { capacity, signal: new AbortController().signal });
          const read: number[] = [];
          let [published, kept] = [0, 0];
          for (const step of steps) {
            if (step === 'publish') {
              published += 1;
              if (source.observed && kept - read.length < capacity) kept += 1;
              source.next(published);
            } else if (read.length < kept) {
              const next = await feed.next();
              if (next.done !== true) read.push(next.value);
            }
          }
          // It left its source when an item found no room, and ends after the items that fit.
          expect(source.observed).toBe(published === kept);
          source.complete();
          for await (const item of feed) read.push(item);
          expect(read).toEqual(Array.from({ length: kept }, (_, index) => index + 1));
        },
      ),
    );
  });

  it('ends at once when aborted', async () => {
    const source = signal();
    const abort = new AbortController();
    const feed = feedEndingOnOverflow(source.heard, { capacity: 3, signal: abort.signal });
    source.say(1);
    abort.abort();
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  it('subscribes to nothing when it was aborted before it began', async () => {
    const source = new Subject<number>();
    const feed = feedEndingOnOverflow(source, { capacity: 3, signal: AbortSignal.abort() });
    source.next(1);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
    expect(source.observed).toBe(false);
  });

  it('leaves its source on return, abort and overflow, and still yields the items in its buffer', async () => {
    const source = new Subject<number>();
    const left = feedEndingOnOverflow(source, { capacity: 1, signal: new AbortController().signal });
    await left.return?.();
    expect(source.observed).toBe(false);
    const abort = new AbortController();
    const overflown = feedEndingOnOverflow(source, { capacity: 1, signal: abort.signal });
    source.next(1);
    source.next(2);
    expect(source.observed).toBe(false);
    abort.abort();
    expect([await overflown.next(), await overflown.next()]).toEqual([
      { done: false, value: 1 },
      { done: true, value: undefined },
    ]);
    const second = new AbortController();
    feedEndingOnOverflow(source, { capacity: 1, signal: second.signal });
    second.abort();
    expect(source.observed).toBe(false);
  });

  it.each(['abort', 'complete'] as const)('wakes a waiting reader at its end by %s', async (by) => {
    const source = new Subject<number>();
    const abort = new AbortController();
    const next = feedEndingOnOverflow(source, { capacity: 1, signal: abort.signal }).next();
    if (by === 'abort') abort.abort();
    else source.complete();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('yields all items of a source that has already completed', async () => {
    const feed = feedEndingOnOverflow(of(1, 2), { capacity: 2, signal: new AbortController().signal });
    const read: number[] = [];
    for await (const item of feed) read.push(item);
    expect(read).toEqual([1, 2]);
  });

  it('wakes a waiting reader with the next commit', async () => {
    const source = signal();
    const feed = feedEndingOnOverflow(source.heard, { capacity: 1, signal: new AbortController().signal });
    const next = feed.next();
    source.say(7);
    expect(await next).toEqual({ done: false, value: 7 });
  });
});
