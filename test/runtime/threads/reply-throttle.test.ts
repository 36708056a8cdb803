import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { createRequests, encodeMessage } from '../../../src/runtime/threads/requests.js';
import { ReplyThrottle } from '../../../src/runtime/threads/reply-throttle.js';

const LARGE = 'x'.repeat(DEFAULT_LIMITS.largeRequestBytes);

test('replies that come together are handled a few per turn of the event loop, in order', async () => {
  const waiting: (() => void)[] = [];
  const turns = new ReplyThrottle({ yield: () => new Promise((resolve) => waiting.push(resolve)) });
  let receive: (bytes: Uint8Array) => void = () => undefined;
  const thread = createRequests<string, string>(
    (onReply) => {
      receive = onReply;
      return { post: () => undefined, stop: () => Promise.resolve() };
    },
    undefined,
    turns,
  );
  const handled: string[] = [];
  const bodies = ['small', LARGE, `${LARGE} too`, 'behind it', 'last'];
  for (const _ of bodies) void thread.ask('').then((body) => handled.push(body.replace(LARGE, 'large')));
  for (const [index, body] of bodies.entries()) receive(encodeMessage({ id: index + 1, body }));
  /** Messages handled so far; then the event loop continues. */
  const turn = async (): Promise<readonly string[]> => {
    await new Promise((resolve) => setTimeout(resolve));
    for (const begin of waiting.splice(0)) begin();
    return handled.splice(0);
  };
  expect([await turn(), await turn(), await turn(), await turn()]).toEqual([
    ['small', 'large'],
    ['large too'],
    ['behind it', 'last'],
    [],
  ]);
});
