/** Single actors of a running node are restarted: the clients of the node notice nothing. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPosition } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../support/memory-store.js';
import { reopenable } from '../../support/reopenable.js';
import { propertyRuns } from '../../support/property-runs.js';
import { temporaryFolder } from '../../support/temporary.js';
import { plan, simulate } from '../simulated-node.js';

test('a block filter answers each block once, in order, however often the filter manager restarts', async () => {
  const step = fc.constantFrom('mine', 'poll', 'restart', 'pollWhileMade');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
      const simulated = await simulate({ store: new MemoryStore() });
      const { node } = simulated;
      await simulated.mineTo(1n);
      const filters = node.ethereum?.api.filters;
      if (filters === undefined) throw new Error('no Ethereum face');
      const created = await filters.create({ kind: 'block' });
      if (!created.ok) throw new Error(created.error.code);
      const answered: bigint[] = [];
      const poll = async (): Promise<void> => {
        const answer = await filters.poll(created.value, (changes) =>
          Promise.resolve({ ok: true, value: { value: changes.kind === 'blocks' ? changes.heights : [] } }),
        );
        if (!answer.ok || answer.value === undefined) throw new Error('the filter is gone');
        answered.push(...answer.value);
      };
      for (const action of steps) {
        if (action === 'mine') await simulated.mineTo(node.api.queries.chain.head().height + 1n);
        if (action === 'poll') await poll();
        if (action === 'restart') await node.supervisor.restart('filterManager');
        if (action === 'pollWhileMade') await Promise.all([node.supervisor.restart('filterManager'), poll(), poll()]);
      }
      await poll();
      const { height } = node.api.queries.chain.head();
      expect(answered).toEqual(Array.from({ length: Number(height) - 1 }, (_, index) => BigInt(index) + 2n));
      await node.stop();
    }),
    { numRuns: propertyRuns(10) },
  );
});

test('a restart of the upgrade keeper or of a halted node keeps the halt and rewrites upgrade-info.json', async () => {
  const home = temporaryFolder();
  const store = reopenable();
  const file = join(home, 'data', 'upgrade-info.json');
  const halt = { name: 'v2', height: 2n, info: '' };
  const first = await simulate({ store, home });
  await first.node.api.commands.broadcastTx(plan('v2', 2n, 0n));
  await first.mineTo(1n);
  void first.node.consensus.mine();
  await first.time.advance(0);
  await first.node.halted;
  expect(first.node.api.queries.status().halt).toEqual(halt);
  rmSync(file);
  const made = first.node.supervisor.restart('upgradeKeeper');
  expect(first.node.api.queries.status().halt).toEqual(halt);
  await made;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'v2', time: '0001-01-01T00:00:00Z', height: 2 });
  await first.node.stop();

  rmSync(file);
  const second = await simulate({ store, home });
  expect(second.node.api.queries.status().halt).toEqual(halt);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'v2', time: '0001-01-01T00:00:00Z', height: 2 });
  await second.node.halted;
  expect(second.node.supervisor.mode()).toBe('halted');
  let halts = 0;
  for await (const events of second.node.eventLog.read({ from: toPosition(1n) }))
    for (const { event } of events) if (event.type === 'UpgradeHalted') halts += 1;
  expect(halts, 'the log says it once').toBe(1);
  await second.node.stop();

  rmSync(file);
  const third = await simulate({ store, home, appVersion: 'v2' });
  expect(third.node.api.queries.status().halt, 'a build with the handler goes on').toBeUndefined();
  expect(() => readFileSync(file, 'utf8'), 'nothing is asked of the operator').toThrow('ENOENT');
  await third.node.stop();
});
