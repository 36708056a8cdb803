/** Blocks of one command that are asked for ahead. */
import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/node-api.js';
import { TimeCommands, type TimeCommandsOptions } from '../../../src/node/dev/time-commands.js';

it('a command that fails answers when no block waits under its lease', async () => {
  const asked: ((outcome: Outcome<undefined>) => void)[] = [];
  let released = false;
  const lease = {
    mine: () => new Promise<Outcome<undefined>>((resolve) => asked.push(resolve)),
    release: () => {
      released = true;
    },
  };
  const commands = new TimeCommands({
    log: { holdSync: () => () => undefined },
    ledger: { state: { height: 1n } },
    clock: { exact: undefined, shift: 0n, move: () => undefined },
    consensus: { pause: () => Promise.resolve({ ok: true, value: lease }), view: { mode: () => 'newHeight' } },
    speculation: { isFollowed: false },
    isStopping: () => false,
  } as unknown as TimeCommandsOptions);

  const answered = commands.mine(3, undefined);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(asked).toHaveLength(2);
  const busy = { ok: false, error: { code: 'busy', what: 'block production' } } as const;
  asked[0]?.(busy);
  await turn();
  expect(released).toBe(false);
  asked[1]?.({ ok: true, value: undefined });
  expect(await answered).toEqual(busy);
  expect(released).toBe(true);
  expect(asked).toHaveLength(2);
});
