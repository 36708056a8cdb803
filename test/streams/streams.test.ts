import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { of, Subject } from 'rxjs';
import { createHub, feedEndingOnOverflow, type FeedEnd } from '../../src/streams/index.js';

describe('hub', () => {
  it('shows every listener the same order, also when a listener publishes', () => {
    const hub = createHub<number>();
    const [first, second]: [number[], number[]] = [[], []];
    hub.onCommit((commit) => {
      first.push(commit);
      if (commit < 3) hub.publish(commit + 1);
    });
    hub.onCommit((commit) => second.push(commit));
    hub.publish(1);
    expect([first, second]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('one function may listen twice, and leaves once each time', () => {
    const hub = createHub<number>();
    const seen: number[] = [];
    const listener = (commit: number): void => void seen.push(commit);
    const leave = hub.onCommit(listener);
    hub.onCommit(listener);
    hub.publish(1);
    leave();
    leave();
    hub.publish(2);
    expect(seen).toEqual([1, 1, 2]);
  });

  it('forgets a listener that left', () => {
    const hub = createHub<number>();
    const seen: number[] = [];
    const leave = hub.onCommit((commit) => seen.push(commit));
    hub.publish(1);
    leave();
    hub.publish(2);
    expect(seen).toEqual([1]);
  });

  it('shows a commit neither to who left nor to who came while it was shown', () => {
    const hub = createHub<number>();
    const seen: string[] = [];
    hub.onCommit((commit) => {
      leave();
      if (commit === 1) hub.onCommit((later) => seen.push(`late ${later}`));
    });
    const leave = hub.onCommit((commit) => seen.push(`left ${commit}`));
    hub.publish(1);
    hub.publish(2);
    expect(seen).toEqual(['late 2']);
  });

  it('shows a commit to the others when a listener throws, and throws that error by itself', async () => {
    const hub = createHub<number>();
    const seen: number[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const thrown = new Promise<unknown>((resolve) => process.once('uncaughtException', resolve));
    hub.onCommit(() => {
      throw new Error('listener');
    });
    hub.onCommit((commit) => seen.push(commit));
    hub.publish(1);
    expect(seen).toEqual([1]);
    expect(await thrown).toMatchObject({ message: 'listener' });
    for (const other of others) process.on('uncaughtException', other);
  });
});

describe('feed that ends on overflow', () => {
  it('yields a gapless prefix of what was published, whatever the reader does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('publish', 'read'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, capacity) => {
          const hub = createHub<number>();
          const ends: [FeedEnd, number | undefined][] = [];
          const feed = feedEndingOnOverflow(hub.commits(), {
            capacity,
            signal: new AbortController().signal,
            onEnd: (...end) => ends.push(end),
          });
          const read: number[] = [];
          let [published, kept] = [0, 0];
          for (const step of steps) {
            if (step === 'publish') {
              published += 1;
              if (ends.length === 0 && kept - read.length < capacity) kept += 1;
              hub.publish(published);
            } else if (read.length < kept) {
              const next = await feed.next();
              if (next.done !== true) read.push(next.value);
            }
          }
          expect(read).toEqual(Array.from({ length: read.length }, (_, index) => index + 1));
          expect(ends).toEqual(published > kept ? [['overflow', kept]] : []);
        },
      ),
    );
  });

  it('ends at once when aborted', async () => {
    const hub = createHub<number>();
    const abort = new AbortController();
    const feed = feedEndingOnOverflow(hub.commits(), { capacity: 3, signal: abort.signal });
    hub.publish(1);
    abort.abort();
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  it('listens to nothing when it was aborted before it began', async () => {
    const source = new Subject<number>();
    const feed = feedEndingOnOverflow(source, { capacity: 3, signal: AbortSignal.abort() });
    source.next(1);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
    expect(source.observed).toBe(false);
  });

  it('leaves its source when its reader leaves, when it is aborted and when it overflows; what it kept then is still read', async () => {
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

  it.each(['abort', 'complete'] as const)('a waiting reader is told of the end by %s', async (by) => {
    const source = new Subject<number>();
    const abort = new AbortController();
    const next = feedEndingOnOverflow(source, { capacity: 1, signal: abort.signal }).next();
    if (by === 'abort') abort.abort();
    else source.complete();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('a source that is over at once is read to its end', async () => {
    const feed = feedEndingOnOverflow(of(1, 2), { capacity: 2, signal: new AbortController().signal });
    const read: number[] = [];
    for await (const item of feed) read.push(item);
    expect(read).toEqual([1, 2]);
  });

  it('a waiting reader gets the next commit', async () => {
    const hub = createHub<number>();
    const feed = feedEndingOnOverflow(hub.commits(), { capacity: 1, signal: new AbortController().signal });
    const next = feed.next();
    hub.publish(7);
    expect(await next).toEqual({ done: false, value: 7 });
  });
});
