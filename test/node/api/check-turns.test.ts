/** Turns of the event loop separate checks of long transactions; all transactions keep their order. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { Groups } from '../../../src/adapters/transport/groups.js';
import { checksInTurns } from '../../../src/node/api/check-turns.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

function stage() {
  const checked: number[] = [];
  const turns: (() => void)[] = [];
  const note = (tx: Uint8Array): Promise<never> => {
    checked.push(tx[0] ?? 0);
    return Promise.reject(new Error(`checked ${tx[0]}`));
  };
  const { broadcastTx, checkTx } = checksInTurns(
    { broadcastTx: note, checkTx: note },
    { yield: () => new Promise((resolve) => turns.push(resolve)) },
  );
  return {
    checked,
    broadcastTx,
    checkTx,
    /** Ends the turns before the next check; in the last one a transaction is checked. */
    turn: async (): Promise<void> => {
      const before = checked.length;
      for (let ended = 0; ended < FIXED_LIMITS.turnsBeforeCheck; ended += 1) {
        expect(checked).toHaveLength(before);
        const [end] = turns.splice(0, 1);
        if (end === undefined) throw new Error('no turn was asked for');
        end();
        await nextTurn();
      }
    },
    turns,
  };
}

const txOf = (name: number, length: number): Uint8Array => new Uint8Array(length).fill(name, 0, 1);
const long = (name: number): Uint8Array => txOf(name, FIXED_LIMITS.turnTxBytes);
const short = (name: number): Uint8Array => txOf(name, FIXED_LIMITS.turnTxBytes - 1);

test('short transactions are checked at once, without a turn of the event loop', async () => {
  const { checked, broadcastTx, checkTx, turns } = stage();
  const answers = [broadcastTx(short(1)), checkTx(short(2)), broadcastTx(short(3))];
  expect(checked).toEqual([1, 2, 3]);
  expect(turns).toEqual([]);
  for (const [at, answer] of answers.entries()) await expect(answer).rejects.toThrow(`checked ${at + 1}`);
});

test('long transactions are checked one at a time between turns, and short ones do not overtake them', async () => {
  const { checked, broadcastTx, checkTx, turn, turns } = stage();
  const answers = [long(1), short(2), long(3), short(4), long(5), long(6)].map((tx, at) =>
    at === 2 ? checkTx(tx) : broadcastTx(tx),
  );
  answers.push(broadcastTx(short(7)));
  const settled = Promise.allSettled(answers);
  expect(checked, 'the turn that brought them has work already').toEqual([]);
  await turn();
  expect(checked).toEqual([1, 2]);
  await turn();
  expect(checked).toEqual([1, 2, 3, 4]);
  await turn();
  expect(checked).toEqual([1, 2, 3, 4, 5]);
  await turn();
  expect(checked).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(turns).toEqual([]);
  expect((await settled).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
});

test('a request that arrives during a long check is handled before the next check', async () => {
  const order: string[] = [];
  const timers = createHostTimers();
  const groups = new Groups<string, void>({
    size: 1,
    milliseconds: 1,
    timers,
    elapsed: () => 0,
    handle: (name) => void order.push(name),
    finish: () => undefined,
  });
  const note = (tx: Uint8Array): Promise<never> => {
    order.push(`check ${tx[0]}`);
    if (tx[0] === 1) setImmediate(() => groups.add('request'));
    return Promise.reject(new Error());
  };
  const { broadcastTx } = checksInTurns({ broadcastTx: note, checkTx: note }, timers);
  await Promise.allSettled([broadcastTx(long(1)), broadcastTx(long(2))]);
  expect(order).toEqual(['check 1', 'request', 'check 2']);
});
