/** An indexer that starts while its connections are cut: the model expects items only after they are restored. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/testing/commands.js';
import { play } from '../../src/testing/play.js';
import type { Target } from '../../src/testing/target.js';

type Action = { readonly do: 'mine' };

/** A chain of numbers, and an indexer that reads missed numbers when it connects; with `loses` it skips them. */
function target(loses: boolean): Target<number, Action> {
  return {
    source: 'numbers',
    interests: [{ name: 'numbers', items: (fact) => [{ key: String(fact), place: 0 }] }],
    actions: fc.constant({ do: 'mine' }),
    abilities: { indexer: true },
    begin() {
      const facts: { readonly fact: number }[] = [];
      const seen: string[] = [];
      let next: number | undefined;
      let [cut, running] = [false, false];
      let started = (): void => undefined;
      const read = (): void => {
        if (cut || !running) return;
        next = next === undefined || loses ? facts.length : next;
        for (; next < facts.length; next += 1) seen.push(String(facts[next]?.fact));
        started();
      };
      return {
        patienceMs: 200,
        history: () => facts,
        perform() {
          facts.push({ fact: facts.length });
          if (!cut && running) seen.push(String((next = facts.length) - 1));
        },
        settle: () => undefined,
        end: () => undefined,
        indexer: {
          interest: 'numbers',
          seen: () => seen,
          start() {
            running = true;
            const ready = new Promise<void>((resolve) => (started = resolve));
            read();
            return ready;
          },
          stop: () => void (running = false),
          cut: () => void (cut = true),
          restore() {
            cut = false;
            read();
          },
        },
      };
    },
  };
}

const RESTARTED_WHILE_CUT: readonly Command<Action>[] = (
  ['start', 'mine', 'stop', 'cut', 'start', 'mine', 'restore', 'mine'] as const
).map((name) => ({ do: name }));

test('an indexer that reads the blocks it missed passes the model', async () => {
  await play(target(false), RESTARTED_WHILE_CUT);
});

test('an indexer that was stopped before it could connect is started again', async () => {
  const commands = (['start', 'stop', 'cut', 'start', 'stop', 'mine', 'restore', 'start', 'mine'] as const).map(
    (name): Command<Action> => ({ do: name }),
  );
  await play(target(false), commands);
});

test('an indexer that loses the blocks it missed is reported', async () => {
  await expect(play(target(true), RESTARTED_WHILE_CUT)).rejects.toThrow(/"no gap"|"complete"/);
});
