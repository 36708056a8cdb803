import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/node-api.js';
import { TracePlaces } from '../../../src/node/ethereum/trace-places.js';
import { streamOf } from '../../../src/runtime/pool/pull-streams.js';

const DONE: Outcome<string> = { ok: true, value: 'done' };
const REFUSED = { ok: false, error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: 1 } };
const run = (places: TracePlaces) => places.run(() => Promise.resolve(DONE));

test('a trace beyond the places is refused, and one that ends or fails gives its place back', async () => {
  const places = new TracePlaces(1);
  let end: (done: Outcome<string>) => void = () => undefined;
  const first = places.run(() => new Promise<Outcome<string>>((resolve) => (end = resolve)));
  expect(await run(places)).toEqual(REFUSED);
  end(DONE);
  expect([await first, await run(places)]).toEqual([DONE, DONE]);
  await expect(places.run(() => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails');
  expect(await run(places)).toEqual(DONE);
});

test('a stream holds its place to its end, and one that does not begin holds none', async () => {
  const places = new TracePlaces(1);
  const started = await places.stream(() => Promise.resolve({ ok: true, value: streamOf([1, 2]) }));
  if (!started.ok) throw new Error(started.error.code);
  expect(await started.value.next()).toBe(1);
  expect(await run(places)).toEqual(REFUSED);
  started.value.end();
  started.value.end();
  expect(await run(places)).toEqual(DONE);
  const refused: Outcome<never> = { ok: false, error: { code: 'busy', what: 'the pool' } };
  expect(await places.stream(() => Promise.resolve(refused))).toEqual(refused);
  expect(await run(places)).toEqual(DONE);
});
