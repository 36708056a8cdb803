import { expect, test } from 'vitest';
import { Interfaces } from '../../../src/core/abi/interfaces.js';
import { lineText } from '../../../src/core/activity/line.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { ActivityLog } from '../../../src/node/activity/activity-log.js';
import { Budget } from '../../../src/node/activity/budget.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send, simulate } from '../simulated-node.js';

/** A node with an activity log; `prepare` runs before the lines of each block with transactions. */
async function loggedNode(prepare: () => Promise<void>) {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node, time } = simulated;
  const lines: string[] = [];
  const log = new ActivityLog({
    crypto: node.crypto,
    timers: { after: () => () => undefined, yield: () => Promise.resolve() },
    budget: new Budget({ clock: time, perSecond: 10, burst: 20 }),
    names: {
      crypto: node.crypto,
      interfaces: new Interfaces(node.crypto),
      accounts: new Map(),
      contractAt: () => undefined,
    },
    baseDenom: 'achr',
    sink: { line: (line) => lines.push(lineText(line, false)), status: () => undefined },
    showsEmpty: false,
    prepare,
    printed: () => Promise.resolve(new Map()),
  });
  node.activity.subscribe((message) => log.heard(message));
  const mine = (): Promise<void> => simulated.mineTo(node.api.queries.chain.head().height + 1n);
  await mine();
  return {
    log,
    lines,
    blockWith: async (tx: Uint8Array): Promise<void> => {
      const answering = node.api.commands.broadcastTx(tx);
      await time.advance(0);
      expect(await answering).toMatchObject({ ok: true, value: { code: 0 } });
      await mine();
    },
    mine,
    stop: () => node.stop(),
  };
}

test('the activity log skips only the lines of a block whose preparation fails', async () => {
  const failures = [new Error('the store fails')];
  const { log, lines, mine, blockWith, stop } = await loggedNode(() => {
    const failure = failures.pop();
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  });
  await blockWith(send(0, 1, 1n, 0n));
  await mine();
  await blockWith(send(0, 1, 1n, 1n));
  await log.idle();
  expect(lines.map((line) => line.split('  ').slice(0, 2))).toEqual([
    ['block 1 empty'],
    ['block 2', '1 transaction'],
    ['block 3 empty'],
    ['block 4', expect.stringMatching(/^0x/)],
    ['', expect.stringMatching(/^tx/)],
  ]);
  await stop();
});

test('the activity log writes one line for many reverts between two blocks', async () => {
  const { log, lines, stop } = await loggedNode(() => Promise.resolve());
  for (let height = 100_000n; height > 0n; height -= 1n) {
    log.heard({ type: 'reverted', position: toPosition(100n), height: toHeight(height) });
  }
  await log.idle();
  expect(lines.at(-1)).toBe('back to block 1: later blocks are abandoned');
  expect(lines).toHaveLength(2);
  await stop();
});
