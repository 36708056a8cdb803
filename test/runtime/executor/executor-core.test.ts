import { describe, expect, it } from 'vitest';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { ExecutorCore } from '../../../src/runtime/executor/executor-core.js';
import { createInProcessExecutor } from '../../../src/runtime/executor/executor.js';
import { chain, DevChain } from '../../core/app/dev-chain.js';
import { stateOf, PLAIN_BLOCK } from '../../core/app/support.js';
import { MemoryStore } from '../../support/memory-store.js';
import { stateValues } from '../../../src/runtime/executor/state-values.js';
import { checkpointRows } from '../../../src/store/checkpoints/checkpoints.js';
import { HeightPruned } from '../../../src/store/state/latest.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';

const options = { preset: 'chronicle', chain, handlers: [], skipUpgradeHeights: [] };
const { genesisWrites } = new DevChain();
const genesis = stateOf(genesisWrites);
const genesisValues = () =>
  Promise.resolve({
    latest: (store: string, key: Uint8Array) => genesis.get(store, key),
    at: () => (store: string, key: Uint8Array) => genesis.get(store, key),
  });

function block(height: bigint, txs: readonly Uint8Array[]) {
  return {
    ...PLAIN_BLOCK,
    height: toHeight(height),
    time: toTimeNs(height),
    chainId: chain.chainId,
    txs,
  };
}

describe("the executor's core", () => {
  it('answers results before it computes the app hash, and an empty block with its app hash', async () => {
    const core = new ExecutorCore(createPureCrypto(), genesisValues);
    await core.handle({ kind: 'open', options, location: undefined });
    await core.handle({ kind: 'genesis', writes: genesisWrites });
    const empty = await core.handle({ kind: 'execute', request: block(1n, []) });
    expect(empty).toMatchObject({ kind: 'executed', result: { kind: 'executed' }, appHash: expect.any(Uint8Array) });
    const full = await core.handle({ kind: 'execute', request: block(2n, [Uint8Array.of(1)]) });
    expect(full).toMatchObject({
      kind: 'executed',
      result: { kind: 'executed', results: { txResults: [{ code: 2 }] } },
      appHash: undefined,
    });
    expect(await core.handle({ kind: 'commit', height: toHeight(2n) })).toMatchObject({
      kind: 'committed',
      appHash: expect.any(Uint8Array),
    });
  });

  it('executes a block only on the state of the height before', async () => {
    const executor = createInProcessExecutor(createPureCrypto(), genesisValues);
    await executor.open(options, undefined);
    await executor.genesis(genesisWrites);
    await executor.execute(block(1n, []));
    await expect(executor.execute(block(3n, []))).rejects.toThrow('height 3 is executed on the state of height 1');
    await expect(executor.prepare({ ...block(1n, []), txs: [] })).rejects.toThrow(
      'height 1 is executed on the state of height 1',
    );
    expect(await executor.execute(block(2n, []))).toMatchObject({ kind: 'executed' });
  });

  it('computes the same app hash for a block by execution and by replay', async () => {
    const executor = createInProcessExecutor(createPureCrypto(), genesisValues);
    await executor.open(options, undefined);
    await executor.genesis(genesisWrites);
    const replayed = createInProcessExecutor(createPureCrypto(), genesisValues);
    await replayed.open(options, undefined);
    await replayed.genesis(genesisWrites);
    for (const [index, txs] of [[], [Uint8Array.of(1)], []].entries()) {
      const height = toHeight(BigInt(index + 1));
      const result = await executor.execute(block(height, txs));
      if (result.kind !== 'executed') throw new Error('halted');
      const appHash = await executor.commit(height);
      expect(await replayed.replay(height, result.writes)).toEqual(appHash);
    }
  });

  it('restores a checkpoint of its own database only at the same height', async () => {
    const store = new MemoryStore();
    const height = toHeight(1n);
    const first = createInProcessExecutor(createPureCrypto(), genesisValues);
    await first.open(options, undefined);
    await first.genesis(genesisWrites);
    await first.execute(block(height, []));
    const appHash = await first.commit(height);
    const bytes = await first.checkpoint(height);
    if (bytes === undefined) throw new Error('the trees are in memory');
    const restored = createInProcessExecutor(createPureCrypto(), () => Promise.resolve(stateValues(store)));
    await restored.open(options, undefined);
    expect(await restored.restore(height)).toBeUndefined();
    await store.commit(checkpointRows(store, { height, bytes }));
    expect(await restored.restore(toHeight(2n))).toBeUndefined();
    expect(await restored.restore(height)).toEqual(appHash);
  });

  it('answers a request for a state that was pruned meanwhile, and continues', async () => {
    const height = toHeight(1n);
    const executor = createInProcessExecutor(createPureCrypto(), () =>
      Promise.resolve({
        latest: (store: string, key: Uint8Array) => genesis.get(store, key),
        at: () => () => {
          throw new HeightPruned(height, toHeight(7n));
        },
      }),
    );
    await executor.open(options, undefined);
    await executor.genesis(genesisWrites);
    await executor.execute(block(1n, []));
    await executor.commit(height);
    const from = { store: 'bank', key: Uint8Array.of(2) };
    expect(await executor.check(height, from, 10)).toEqual({ kind: 'sound', next: from });
    expect(await executor.check(height, undefined, 10)).toMatchObject({ kind: 'sound', next: { store: '' } });
    expect(await executor.snapshotSlice(height, undefined, 10)).toBeUndefined();
    const [written] = genesisWrites;
    expect(await executor.prove(written?.store ?? '', written?.key ?? Uint8Array.of(), height)).toEqual({
      ok: false,
      error: { code: 'state-pruned', height, lowest: 7n },
    });
  });
});
