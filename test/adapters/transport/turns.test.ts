import { describe, expect, it } from 'vitest';
import { Turns } from '../../../src/adapters/transport/turns.js';

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
