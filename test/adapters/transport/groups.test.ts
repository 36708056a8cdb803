import { describe, expect, it } from 'vitest';
import { Groups } from '../../../src/adapters/transport/groups.js';

/**
 * Groups of at most three items, each of which takes its own value in milliseconds, of ten; turns come on command.
 */
function groupsByHand() {
  const turns: (() => void)[] = [];
  const done: string[] = [];
  let now = 0;
  const groups = new Groups<number, number>({
    size: 3,
    milliseconds: 10,
    timers: { yield: () => new Promise((resolve) => turns.push(resolve)) },
    elapsed: () => now,
    handle: (item) => {
      done.push(`${item}`);
      now += item;
      return item * 2;
    },
    finish: (item, handled) => void done.push(`${item}: ${handled}`),
  });
  const turn = async (): Promise<readonly string[]> => {
    for (const resolve of turns.splice(0)) resolve();
    await Promise.resolve();
    await Promise.resolve();
    return done.splice(0);
  };
  return { groups, done, turn, asked: () => turns.length };
}

describe('groups of requests', () => {
  it('are handled in the next turn, in order of arrival, and then finished', async () => {
    const { groups, done, turn } = groupsByHand();
    for (const item of [1, 2]) groups.add(item);
    expect(done).toEqual([]);
    expect(await turn()).toEqual(['1', '2', '1: 2', '2: 4']);
  });

  it('leave items above the size of a group to the next turn', async () => {
    const { groups, turn, asked } = groupsByHand();
    for (const item of [1, 2, 3, 1]) groups.add(item);
    expect(await turn()).toEqual(['1', '2', '3', '1: 2', '2: 4', '3: 6']);
    groups.add(4);
    expect(await turn()).toEqual(['1', '4', '1: 2', '4: 8']);
    expect(asked()).toBe(0);
  });

  it('leave items after long ones to the next turn, and each turn handles at least one', async () => {
    const { groups, turn } = groupsByHand();
    for (const item of [4, 6, 12, 1]) groups.add(item);
    expect(await turn()).toEqual(['4', '6', '4: 8', '6: 12']);
    expect(await turn()).toEqual(['12', '12: 24']);
    expect(await turn()).toEqual(['1', '1: 2']);
  });

  it('request one turn at a time, and another when more items arrive after it', async () => {
    const { groups, turn, asked } = groupsByHand();
    for (const item of [1, 2]) {
      groups.add(item);
      expect(asked()).toBe(1);
      await turn();
    }
    expect(asked()).toBe(0);
  });
});
