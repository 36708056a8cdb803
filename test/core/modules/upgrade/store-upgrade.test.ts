import { describe, expect, it } from 'vitest';
import { applyBlock, everyStore } from '../../../../src/core/modules/upgrade/apply-block.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { prefixRange } from '../../../../src/core/bytes/key-order.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { createMultistore, type Multistore } from '../../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../../src/core/primitives.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { mergeWrites } from '../../../../src/core/state/merge-writes.js';
import type { StateWrite } from '../../../../src/core/state/state.js';
import { verifyOps } from '../../iavl/verify.js';
import { account, DevChain, signed } from '../../app/dev-chain.js';
import { crypto, toHex } from '../../app/support.js';

const NO_KEYS: Omit<Module, 'name' | 'store' | 'initGenesis'> = {
  consensusVersion: 1n,
  exportGenesis: () => null,
  messages: [],
  queries: [],
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const fill =
  (store: string, count: number) =>
  (context: Context): void => {
    for (let index = 0; index < count; index += 1)
      context.store.set(store, Uint8Array.of(index * 3), bytes(`${store} ${index}`));
  };
/**
 * A module that sums the entries of its store when it begins: the block of the upgrade reads a store that exists only
 * from this block on.
 */
const extra: Module = {
  ...NO_KEYS,
  name: 'extra',
  store: 'extra',
  initGenesis(context) {
    fill('extra', 3)(context);
    context.store.set(
      'extra',
      bytes('sum'),
      bytes(String([...context.store.range('extra', prefixRange(new Uint8Array()))].length)),
    );
    context.store.set('new', Uint8Array.of(4), bytes('between'));
  },
};
const before: readonly Module[] = [
  ...chronicle.modules,
  { ...NO_KEYS, name: 'old', store: 'old', initGenesis: fill('old', 20) },
  { ...NO_KEYS, name: 'gone', store: 'gone', initGenesis: fill('gone', 5) },
];

const version: AppVersion = {
  ...chronicle,
  modules: before,
  initOrder: [...chronicle.initOrder, 'old', 'gone'],
  stores: [...chronicle.stores, 'gone', 'old'],
  moduleVersions: { ...chronicle.moduleVersions, old: 1n, gone: 1n },
  upgrades: new Map([['v2', { added: ['extra'], renamed: [{ from: 'old', to: 'new' }], deleted: ['gone'] }]]),
};

function emptyStores(): Multistore {
  return createMultistore({ stores: version.stores, crypto, provableHeights: 10 });
}

describe('stores of an upgrade', () => {
  const dev = new DevChain({ version }, 2);
  const genesis = [...dev.genesisWrites];
  const multistore = emptyStores();
  const blocks: (readonly StateWrite[])[] = [];
  const hashes: string[] = [];
  let checkpoint = new Uint8Array();
  const run = (...txs: readonly Uint8Array[]): void => {
    const result = dev.block(...txs);
    if (result.kind !== 'executed') throw new Error(result.reason);
    const writes = blocks.length === 0 ? mergeWrites(genesis, result.writes) : result.writes;
    blocks.push(writes);
    applyBlock(multistore, version, dev.height, writes);
    hashes.push(toHex(multistore.commit(toHeight(dev.height)).appHash));
  };
  run(
    signed(0, 0n, MsgSoftwareUpgradeSchema, {
      authority: account(0).address,
      plan: { name: 'v2', height: 3n, info: '' },
    }),
  );
  run();
  checkpoint = Uint8Array.from(multistore.snapshotBytes());
  dev.build({
    version: { ...version, modules: [...before, extra], initOrder: [...version.initOrder, 'extra'] },
    handlers: new Set(['v2']),
  });
  run();
  run();

  it('are added, renamed and deleted in its block, with their values', () => {
    expect(multistore.stores).toEqual([
      'acc',
      'authz',
      'bank',
      'consensus',
      'crisis',
      'dev',
      'distribution',
      'erc20',
      'evidence',
      'evm',
      'extra',
      'feegrant',
      'feemarket',
      'gov',
      'mint',
      'new',
      'slashing',
      'staking',
      'upgrade',
    ]);
    const keys = (store: string): number => [...dev.state.range(store, {})].length;
    expect({ old: keys('old'), gone: keys('gone'), new: keys('new'), extra: keys('extra') }).toEqual({
      old: 0,
      gone: 0,
      new: 21,
      extra: 4,
    });
    expect(dev.state.get('extra', bytes('sum'))).toEqual(bytes('3'));
    expect(new Set(everyStore(version))).toEqual(new Set([...chronicle.stores, 'extra', 'gone', 'new', 'old']));
  });

  it('give the same app hashes when replayed from the start, or from a checkpoint before the upgrade', () => {
    const replayed = emptyStores();
    expect(
      blocks.map((writes, index) => {
        applyBlock(replayed, version, BigInt(index + 1), writes);
        return toHex(replayed.commit(toHeight(BigInt(index + 1))).appHash);
      }),
    ).toEqual(hashes);
    const restored = createMultistore({ stores: [], crypto });
    restored.restore(checkpoint);
    expect(
      blocks.slice(2).map((writes, index) => {
        applyBlock(restored, version, BigInt(index + 3), writes);
        return toHex(restored.commit(toHeight(BigInt(index + 3))).appHash);
      }),
    ).toEqual(hashes.slice(2));
  });

  it("are proven under the app hash of the upgrade's block and no longer under their old name", () => {
    const height = toHeight(3n);
    const proved = multistore.prove('new', Uint8Array.of(6), height, (store, key) => dev.state.get(store, key));
    const appHash = multistore.commitOf(height)?.appHash ?? new Uint8Array();
    expect(proved.ok && verifyOps(proved.ops, appHash, 'new', Uint8Array.of(6), bytes('old 2'))).toBe('verified');
    expect(multistore.prove('old', Uint8Array.of(6), height, () => undefined)).toEqual({
      ok: false,
      error: { code: 'bad-query', message: 'no such store: old' },
    });
  });
});
