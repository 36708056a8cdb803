/** The blocks of one mine command: runs and single blocks. */
import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/node-api.js';
import { TimeCommands, type TimeCommandsOptions } from '../../../src/node/dev/time-commands.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it.each(['a run', 'a block'] as const)(
  'a mine command requests nothing more and releases its lease after %s fails',
  async (what) => {
    const mined: ((outcome: Outcome<undefined>) => void)[] = [];
    const ran: ((outcome: Outcome<number>) => void)[] = [];
    const asked: number[] = [];
    let released = false;
    const lease = {
      mine: () => new Promise<Outcome<undefined>>((resolve) => mined.push(resolve)),
      release: () => {
        released = true;
      },
    };
    const runs = {
      make(most: number) {
        asked.push(most);
        return new Promise<Outcome<number>>((resolve) => ran.push(resolve));
      },
    };
    const commands = new TimeCommands({
      ledger: { state: { height: 1n } },
      clock: { exact: undefined, shift: 0n, move: () => undefined },
      consensus: { pause: () => Promise.resolve({ ok: true, value: lease }), view: { mode: () => 'newHeight' } },
      runs,
      isStopping: () => false,
    } as unknown as TimeCommandsOptions);

    const answered = commands.mine(9, undefined);
    await turn();
    const busy = { ok: false, error: { code: 'busy', what: 'block production' } } as const;
    mined[0]?.(what === 'a block' ? busy : { ok: true, value: undefined });
    await turn();
    expect(asked).toEqual(what === 'a block' ? [] : [7]);
    expect(released).toBe(what === 'a block');
    ran[0]?.(busy);
    expect(await answered).toEqual(busy);
    expect(released).toBe(true);
    expect(mined).toHaveLength(1);
  },
);

it('a mine command makes single blocks when its runs make none', async () => {
  let mined = 0;
  const asked: number[] = [];
  const lease = {
    mine() {
      mined += 1;
      return Promise.resolve({ ok: true, value: undefined });
    },
    release: () => undefined,
  };
  const commands = new TimeCommands({
    ledger: { state: { height: 1n } },
    clock: { exact: undefined, shift: 0n, move: () => undefined },
    consensus: { pause: () => Promise.resolve({ ok: true, value: lease }), view: { mode: () => 'newHeight' } },
    runs: {
      make(most: number) {
        asked.push(most);
        return Promise.resolve({ ok: true, value: most === 3 ? 2 : 0 });
      },
    },
    isStopping: () => false,
  } as unknown as TimeCommandsOptions);
  expect((await commands.mine(6, undefined)).ok).toBe(true);
  expect(asked).toEqual([4, 3, 1]);
  expect(mined).toBe(4);
});
