import { expect, test } from 'vitest';
import { ThreadGate } from '../../../src/store/leveldb/thread-gate.js';

/** A range whose end the test decides. */
function openRange(): { readonly read: () => Promise<number>; readonly end: () => void } {
  let end = (): void => undefined;
  const rows = new Promise<number>((resolve) => {
    end = () => resolve(7);
  });
  return { read: () => rows, end };
}

test('a gate is idle between the range reads of the thread that shares it, also after a failed one', async () => {
  const main = new ThreadGate();
  const thread = new ThreadGate(main.shared);
  const { read, end } = openRange();
  const ran = thread.run(read);
  expect(main.isIdle).toBe(false);
  end();
  expect(await ran).toBe(7);
  expect(main.isIdle).toBe(true);
  await expect(thread.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(main.isIdle).toBe(true);
});

test('a closed gate lets running range reads finish and begins no others', async () => {
  const main = new ThreadGate();
  const thread = new ThreadGate(main.shared);
  const { read, end } = openRange();
  const ran = thread.run(read);
  main.close();
  let begun = 0;
  const late = (): Promise<void> =>
    thread.run(() => {
      begun += 1;
      return Promise.resolve();
    });
  await expect(late()).rejects.toThrow('the thread is being ended');
  expect(main.isIdle).toBe(false);
  end();
  expect(await ran).toBe(7);
  expect(main.isIdle).toBe(true);
  await expect(late()).rejects.toThrow('the thread is being ended');
  expect(begun).toBe(0);
});
