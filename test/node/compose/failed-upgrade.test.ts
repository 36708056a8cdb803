/**
 * Upgrades that this machine cannot finish: a migration that ends every thread that executes it, a disk without space
 * for its writes, and a disk that fills while its block is stored. The home is as before, and a later start applies the
 * plan.
 */
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { fromHex } from '../../../src/core/bytes/hex.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { completedHeight } from '../../../src/core/modules/upgrade/plan-store.js';
import { type Executor, ExecutorLost } from '../../../src/runtime/executor/executor.js';
import { reopenable } from '../../support/reopenable.js';
import { createStateReader } from '../../../src/store/state/latest.js';
import { readStateAt } from '../../../src/store/state/query-reader.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { temporaryFolder } from '../../support/temporary.js';
import { accounts, plan, send, simulate } from '../simulated-node.js';

const HEIGHT = 3n;
const OUT_OF_MEMORY = 'Worker terminated due to reaching memory limit: JS heap out of memory';
const FAILED = `UPGRADE "v2" FAILED at height: ${HEIGHT}: executor lost: ${OUT_OF_MEMORY}`;

/** A home one block before the height of the upgrade `v2`, and its store. */
async function scheduled() {
  const home = temporaryFolder();
  const store = reopenable();
  const simulated = await simulate({ store, home });
  const sent = simulated.node.mempool.broadcast(plan('v2', HEIGHT, 0n));
  await simulated.time.advance(0);
  expect(await sent).toMatchObject({ ok: true, value: { code: 0 } });
  await simulated.mineTo(HEIGHT - 1n);
  const stopped = simulated.mineTo(HEIGHT);
  await simulated.node.halted;
  await simulated.node.stop();
  void stopped.catch(() => undefined);
  return { store, home };
}

async function appliedIn(store: KeyValueStore): Promise<bigint> {
  const read = await readStateAt(store, 'latest', (state) => completedHeight(state, 'v2'), DEFAULT_LIMITS);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
}

/** The parameter that the upgrade moves. */
const parameterOf = (store: KeyValueStore): Uint8Array | undefined =>
  createStateReader(store, 'latest').get('dev', Uint8Array.of(0));

/** Executors that end while they execute the block of the upgrade. */
function ending(executor: Executor): Executor {
  return {
    ...executor,
    execute: (request) =>
      request.height === HEIGHT ? Promise.reject(new ExecutorLost(OUT_OF_MEMORY)) : executor.execute(request),
  };
}

test('a migration that runs out of memory halts the chain, and every face gives the reason', async () => {
  const { store, home } = await scheduled();
  const before = parameterOf(store);
  expect(before).toEqual(Uint8Array.of(1));
  const simulated = await simulate({ store, home, appVersion: 'v2', wrap: ending });
  const { node, errors } = simulated;
  await node.halted;
  expect(node.supervisor.mode()).toBe('halted');
  expect(errors).toContain(FAILED);
  expect(node.api.queries.chain.head().height).toBe(HEIGHT - 1n);
  expect(node.api.queries.status().halt).toMatchObject({ name: 'v2', height: HEIGHT });
  const refused = { ok: false, error: { code: 'halted', reason: `${FAILED} (no blocks are made)` } };
  expect(await node.api.commands.broadcastTx(send(0, 1, 5n, 1n))).toEqual(refused);
  const [, sender] = accounts;
  const raw = await privateKeyToAccount(`0x${Buffer.from(sender?.privateKey ?? []).toString('hex')}`).signTransaction({
    chainId: Number(node.ethereum?.api.chainId),
    nonce: 0,
    to: `0x${'1'.repeat(40)}`,
    gas: 21_000n,
    gasPrice: 2_000_000_000n,
  });
  expect(await node.ethereum?.api.sendRawTransaction(fromHex(raw.slice(2)))).toEqual(refused);
  // Executors answer beside blocks again: the thread was replaced.
  const proved = await node.api.queries.abciQuery({
    path: '/store/dev/key',
    data: Uint8Array.of(0),
    height: 0n,
    prove: true,
  });
  expect(proved).toMatchObject({ ok: true, value: { code: 0, value: before } });
  await node.stop();
  expect(await appliedIn(store)).toBe(0n);
  expect(parameterOf(store)).toEqual(before);

  const again = await simulate({ store, home, appVersion: 'v2' });
  expect(await appliedIn(store)).toBe(HEIGHT);
  await again.mineTo(HEIGHT + 1n);
  await again.node.stop();
});

test('a disk without space for an upgrade halts the chain, and every face gives the reason', async () => {
  const { store, home } = await scheduled();
  const before = parameterOf(store);
  const size = 1n << 40n;
  let free = FIXED_LIMITS.diskReserveBytes;
  const diskSpace = () => Promise.resolve({ free, size });
  const reason = `UPGRADE "v2" FAILED at height: ${HEIGHT}: the disk is full; make space, then start again`;
  const { node, errors } = await simulate({ store, home, appVersion: 'v2', diskSpace });
  await node.halted;
  expect(errors).toContain(reason);
  expect(node.supervisor.mode()).toBe('halted');
  expect(node.haltReason()).toBe(reason);
  expect(node.api.queries.chain.head().height).toBe(HEIGHT - 1n);
  expect(node.api.queries.status().halt).toMatchObject({ name: 'v2', height: HEIGHT });
  const refused = { ok: false, error: { code: 'halted', reason: `${reason} (no blocks are made)` } };
  expect(await node.api.commands.broadcastTx(send(0, 1, 5n, 1n))).toEqual(refused);
  // The trees are those of the previous block: the execution was rolled back.
  const proved = await node.api.queries.abciQuery({
    path: '/store/dev/key',
    data: Uint8Array.of(0),
    height: 0n,
    prove: true,
  });
  expect(proved).toMatchObject({ ok: true, value: { code: 0, value: before } });
  await node.stop();
  expect(await appliedIn(store)).toBe(0n);
  expect(parameterOf(store)).toEqual(before);

  free = 2n * FIXED_LIMITS.diskReserveBytes;
  const again = await simulate({ store, home, appVersion: 'v2', diskSpace });
  expect(again.node.supervisor.mode()).toBe('running');
  expect(await appliedIn(store)).toBe(HEIGHT);
  await again.mineTo(HEIGHT + 1n);
  await again.node.stop();
});

test('a disk that fills while an upgrade is stored stops the node, and the next start applies the plan', async () => {
  const { store, home } = await scheduled();
  let isFull = false;
  const full: KeyValueStore = {
    ...store,
    commit: (operations, options) =>
      isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : store.commit(operations, options),
  };
  const executing = (executor: Executor): Executor => ({
    ...executor,
    execute: (request) => {
      isFull = request.height === HEIGHT;
      return executor.execute(request);
    },
  });
  await expect(simulate({ store, home, appVersion: 'v2', openStore: () => full, wrap: executing })).rejects.toThrow(
    /ENOSPC|unknown/,
  );
  expect(await appliedIn(store)).toBe(0n);

  const again = await simulate({ store, home, appVersion: 'v2' });
  expect(await appliedIn(store)).toBe(HEIGHT);
  await again.mineTo(HEIGHT + 1n);
  await again.node.stop();
});
