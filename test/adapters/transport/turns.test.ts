import { describe, expect, it } from 'vitest';
import { LargeRequests, oneInTurn, Turns } from '../../../src/adapters/transport/turns.js';

describe('turns of the event loop', () => {
  it('run a few pieces of work each, in the order of the requests', async () => {
    const turns: (() => void)[] = [];
    const shared = new Turns(2, { yield: () => new Promise((resolve) => turns.push(resolve)) });
    const begun: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      const later = () => void begun.push(call);
      if (shared.begin(later)) later();
    }
    const progress = [[...begun]];
    while (turns.length > 0) {
      turns.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
      progress.push([...begun]);
    }
    expect(progress).toEqual([
      [0, 1],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
    ]);
  });
});

it('work that is waited for begins in a later turn, once per turn', async () => {
  const turns: (() => void)[] = [];
  const large = new LargeRequests({ yield: () => new Promise((resolve) => turns.push(resolve)) });
  const begun: number[] = [];
  for (const call of [0, 1]) void large.next().then(() => begun.push(call));
  const progress: number[][] = [];
  do {
    for (let microtask = 0; microtask < 4; microtask += 1) await Promise.resolve();
    progress.push([...begun]);
    turns.shift()?.();
  } while (progress.length < 4);
  expect(progress).toEqual([[], [0], [0, 1], [0, 1]]);
});

it('oneInTurn continues one caller in each turn of the event loop, in order', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const next = oneInTurn({ yield: () => new Promise((resolve) => setImmediate(resolve)) });
  const continued: (readonly [caller: number, turn: number])[] = [];
  await Promise.all(
    [1, 2, 3].map(async (caller) => {
      for (let slice = 0; slice < 2; slice += 1) {
        await next();
        continued.push([caller, turn]);
      }
    }),
  );
  isOver = true;
  expect(continued.map(([caller]) => caller)).toEqual([1, 2, 3, 1, 2, 3]);
  expect(new Set(continued.map(([, at]) => at)).size).toBe(continued.length);
});
