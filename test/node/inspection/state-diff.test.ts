import { expect, test } from 'vitest';
import type { Moment, StateDiff, StateDiffRequest } from '../../../src/core/inspection/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, firing } from '../dev/support.js';
import { accounts, send, simulate, type SimulatedNode } from '../simulated-node.js';
import { noContract, settled } from './support.js';

/** Longer than all steps of one pruning, in milliseconds. */
const PRUNED_MS = 400;

const at = (height: bigint): Moment => ({ kind: 'height', height });

async function answered(
  simulated: SimulatedNode,
  from: Moment,
  to: Moment,
  more: Partial<StateDiffRequest> = {},
): Promise<Outcome<StateDiff>> {
  const asked = simulated.node.inspection(noContract).stateDiff({
    from,
    to,
    store: undefined,
    cursor: undefined,
    limit: 1_000,
    ...more,
  });
  return settled(simulated, asked);
}

test('stateDiff returns the changes between two heights or two positions of a running node', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node } = simulated;
  await simulated.mineTo(1n);
  await node.api.commands.broadcastTx(send(0, 2, 5n, 0n));
  await simulated.mineTo(2n);
  const diff = await answered(simulated, at(1n), { kind: 'latest' }, { store: 'bank' });
  if (!diff.ok) throw new Error(diff.error.code);
  const balance = diff.value.changes.find(({ key }) => key[0]?.text === accounts[2]?.bech32);
  const [field] = balance?.fields ?? [];
  expect(BigInt(field?.after ?? 0) - BigInt(field?.before ?? 0)).toBe(5n);
  expect(balance?.line).toBe(`bank: ${accounts[2]?.bech32} achr ${field?.before} -> ${field?.after}`);
  expect(diff.value.next).toBeUndefined();

  const { position } = diff.value.to;
  const [from, to] = [diff.value.from.position ?? 0n, position ?? 0n];
  const byPosition = await answered(
    simulated,
    { kind: 'position', position: from },
    { kind: 'position', position: to },
  );
  const byHeight = await answered(simulated, at(1n), at(2n));
  expect(byPosition).toEqual(byHeight);
  // the decision of block 2 comes before its execution
  const before = await answered(simulated, { kind: 'position', position: to - 1n }, at(1n));
  expect(before).toMatchObject({ ok: true, value: { changes: [] } });
  const backwards = await answered(simulated, at(2n), at(1n), { store: 'bank' });
  if (!backwards.ok) throw new Error(backwards.error.code);
  expect(backwards.value.changes.map(({ raw }) => [raw.before, raw.after])).toEqual(
    diff.value.changes.map(({ raw }) => [raw.after, raw.before]),
  );
  await node.stop();
});

test('stateDiff continues pages at their cursors, and refuses wrong cursors and unknown stores', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(2n);
  const whole = await answered(simulated, at(0n), at(2n));
  if (!whole.ok) throw new Error(whole.error.code);
  const lines: string[] = [];
  let cursor: Uint8Array | undefined;
  do {
    const page = await answered(simulated, at(0n), at(2n), { cursor, limit: 2 });
    if (!page.ok) throw new Error(page.error.code);
    expect(page.value.changes.length).toBeLessThanOrEqual(2);
    lines.push(...page.value.changes.map(({ line }) => line));
    cursor = page.value.next;
  } while (cursor !== undefined);
  expect(lines).toEqual(whole.value.changes.map(({ line }) => line));

  const page = await answered(simulated, at(0n), at(2n), { limit: 1 });
  if (!page.ok || page.value.next === undefined) throw new Error('no page');
  for (const other of [Uint8Array.of(0), Uint8Array.of(0xff)])
    for (const store of [undefined, 'bank'])
      expect(await answered(simulated, at(0n), at(2n), { cursor: other, store })).toMatchObject({
        ok: false,
        error: { code: 'invalid-params', message: 'cursor is not one that was answered' },
      });
  // a cursor of one store is refused for another
  const strange = await answered(simulated, at(0n), at(2n), { cursor: page.value.next, store: 'staking' });
  expect(strange).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
  for (const store of ['nonsense', '', '__proto__', 'constructor'])
    expect(await answered(simulated, at(0n), at(2n), { store })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params', message: expect.stringContaining('no store has the name') },
    });
  await simulated.node.stop();
});

test('stateDiff refuses a height or position that the chain does not have', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(1n);
  await firing(simulated, devOf(simulated).snapshot());
  await simulated.mineTo(3n);
  const reverted = simulated.node.eventLog.recordOf(simulated.node.api.queries.chain.head().height)?.executed?.position;
  await firing(simulated, devOf(simulated).revert(1n));
  const refusal = async (moment: Moment): Promise<unknown> => {
    const diff = await answered(simulated, moment, { kind: 'latest' });
    return diff.ok ? diff.value : diff.error;
  };
  expect(await refusal(at(2n))).toEqual({ code: 'invalid-params', message: 'height 2 is above the head, 1' });
  expect(await refusal({ kind: 'position', position: reverted ?? 0n })).toEqual({
    code: 'invalid-params',
    message: `position ${reverted} is of a branch that was reverted`,
  });
  const head = simulated.node.api.queries.chain.head().position;
  expect(await refusal({ kind: 'position', position: head + 1n })).toMatchObject({ code: 'invalid-params' });
  await simulated.node.stop();
});

test('stateDiff refuses heights and positions of pruned states, and answers the first kept one', async () => {
  const pruning = { strategy: 'custom', keepRecent: 4n, interval: 10n } as const;
  const simulated = await simulate({ store: new MemoryStore(), pruning });
  await simulated.mineTo(20n);
  await simulated.time.advance(PRUNED_MS);
  const { node } = simulated;
  const lowest = node.api.queries.chain.earliestState();
  expect(lowest).toBeGreaterThan(1n);
  const position = node.eventLog.recordOf(lowest)?.executed?.position ?? 0n;
  const diff = async (moment: Moment): Promise<unknown> => {
    const found = await answered(simulated, moment, { kind: 'latest' });
    return found.ok ? found.value.from.height : found.error;
  };
  expect(await diff(at(lowest - 1n))).toEqual({ code: 'state-pruned', height: lowest - 1n, lowest });
  for (const early of [1n, position - 1n])
    expect(await diff({ kind: 'position', position: early })).toEqual({
      code: 'invalid-params',
      message: `the state at position ${early} is pruned, states are kept from height ${lowest} on`,
    });
  for (const moment of [at(lowest), { kind: 'position', position }, { kind: 'earliest' }] as const)
    expect(await diff(moment)).toBe(lowest);
  await node.stop();
});
