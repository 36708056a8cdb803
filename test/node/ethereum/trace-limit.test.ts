import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/node-api.js';
import { TraceLimit } from '../../../src/node/ethereum/trace-limit.js';
import { streamOf } from '../../../src/runtime/pool/pull-streams.js';

const DONE: Outcome<string> = { ok: true, value: 'done' };
const REFUSED = { ok: false, error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: 1 } };
const run = (limit: TraceLimit) => limit.run(() => Promise.resolve(DONE));

test('a trace beyond the limit is refused, and one that ends or fails gives its place back', async () => {
  const limit = new TraceLimit(1);
  let end: (done: Outcome<string>) => void = () => undefined;
  const first = limit.run(() => new Promise<Outcome<string>>((resolve) => (end = resolve)));
  expect(await run(limit)).toEqual(REFUSED);
  end(DONE);
  expect([await first, await run(limit)]).toEqual([DONE, DONE]);
  await expect(limit.run(() => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails');
  expect(await run(limit)).toEqual(DONE);
});

test('a stream holds its place to its end, and one that does not begin holds none', async () => {
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
