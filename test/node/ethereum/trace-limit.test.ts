import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/node-api.js';
import { TraceLimit } from '../../../src/node/ethereum/trace-limit.js';
import { streamOf } from '../../../src/runtime/pool/pull-streams.js';

const DONE: Outcome<string> = { ok: true, value: 'done' };
const REFUSED = { ok: false, error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: 1 } };
const run = (limit: TraceLimit) => limit.run(() => Promise.resolve(DONE));

test('a trace above the limit is refused, and a trace that ends or fails frees its place', async () => {
  const limit = new TraceLimit(1);
  let end: (done: Outcome<string>) => void = () => undefined;
  const first = limit.run(() => new Promise<Outcome<string>>((resolve) => (end = resolve)));
  expect(await run(limit)).toEqual(REFUSED);
  end(DONE);
  expect([await first, await run(limit)]).toEqual([DONE, DONE]);
  await expect(limit.run(() => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails');
  expect(await run(limit)).toEqual(DONE);
});

test('a streamed trace keeps its place until it ends; a refused one takes no place', async () => {
  const limit = new TraceLimit(1);
  const started = await limit.stream(() => Promise.resolve({ ok: true, value: streamOf([1, 2]) }));
  if (!started.ok) throw new Error(started.error.code);
  expect(await started.value.next()).toBe(1);
  expect(await run(limit)).toEqual(REFUSED);
  started.value.end();
  started.value.end();
  expect(await run(limit)).toEqual(DONE);
  const refused: Outcome<never> = { ok: false, error: { code: 'busy', what: 'the pool' } };
  expect(await limit.stream(() => Promise.resolve(refused))).toEqual(refused);
  expect(await run(limit)).toEqual(DONE);
});
