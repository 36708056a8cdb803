/** The second version of preset `chronicle`, and plans that only the chain names. */
import { expect, test } from 'vitest';
import { readBe64 } from '../../../../src/core/bytes/big-endian.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { handlersOf, UnknownVersionError } from '../../../../src/core/modules/upgrade/handlers.js';
import { moduleVersions, protocolVersion } from '../../../../src/core/modules/upgrade/plan-store.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import {
  isEnabled,
  renameEnabled,
  setImpersonatedSigner,
  impersonatedSigner,
} from '../../../../src/core/sdk/module/development-chain.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { account, chain, codes, DevChain, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const schedule = (sequence: bigint, name: string, height: bigint): Uint8Array =>
  signed(0, sequence, MsgSoftwareUpgradeSchema, { authority: account(0).address, plan: { name, height, info: 'i' } });

function run(dev: DevChain, ...txs: readonly Uint8Array[]): void {
  const result = dev.block(...txs);
  if (result.kind !== 'executed') throw new Error(result.reason);
  expect(codes(result)).toEqual(txs.map(() => 0));
}

/** A chain that was upgraded to v2 at height 3. */
function upgraded(): DevChain {
  const dev = new DevChain({}, 2);
  run(dev, schedule(0n, 'v2', 3n));
  run(dev);
  dev.build({ version: chronicle, handlers: new Set(['v2']) });
  run(dev);
  return dev;
}

const versionsOf = ({ state }: DevChain): Readonly<Record<string, bigint>> => Object.fromEntries(moduleVersions(state));

const exported = ({ state, height }: DevChain): Readonly<Record<string, unknown>> =>
  exportGenesis(state, {
    version: chronicle,
    chain,
    crypto,
    at: { chainId: chain.chainId, height: toHeight(height), time: toTimeNs(0n) },
  });

test('v2 adds a module with a store, migrates another, and renames its parameter', () => {
  const before = new DevChain({}, 2);
  expect(exported(before)).toMatchObject({ dev: { enabled: true } });
  expect(exported(before)).not.toHaveProperty('sample');
  const dev = upgraded();
  expect(versionsOf(dev)).toEqual({ ...versionsOf(before), dev: 2n, sample: 1n });
  expect(protocolVersion(dev.state)).toBe(1n);
  expect(readBe64(dev.state.get('sample', Uint8Array.of(0)) ?? new Uint8Array())).toBe(3n);
  expect([0, 8].map((key) => dev.state.get('dev', Uint8Array.of(key)))).toEqual([undefined, Uint8Array.of(1)]);
  expect(isEnabled({ store: new CacheStore(dev.state) })).toBe(true);
  expect(exported(dev)).toMatchObject({
    dev: { unsigned_transactions: true, sequence: '0' },
    sample: { begun: '3' },
  });
});

test('v2 keeps the impersonated signers of the chain', () => {
  const signature = new Uint8Array(65).fill(1);
  const signer = new Uint8Array(20).fill(2);
  const store = new CacheStore(new DevChain({}, 2).state);
  setImpersonatedSigner({ store }, signature, signer);
  renameEnabled({ store });
  expect(isEnabled({ store })).toBe(true);
  expect(impersonatedSigner({ store, version: chronicle }, signature.subarray(0, 64), 1)).toEqual(signer);
});

test('a later plan that only the chain names keeps the modules of v2', () => {
  const dev = upgraded();
  const versions = versionsOf(dev);
  run(dev, schedule(1n, 'constructor', 5n));
  dev.build({ version: chronicle, handlers: new Set(handlersOf(chronicle, dev.state, 'constructor')) });
  run(dev);
  expect(versionsOf(dev)).toEqual(versions);
  expect(protocolVersion(dev.state)).toBe(2n);
});

test('v1 has no handler of an upgrade that the chain has applied', () => {
  const dev = upgraded();
  dev.build({ version: chronicle, handlers: new Set(handlersOf(chronicle, dev.state, 'v1')) });
  expect(dev.block()).toMatchObject({
    kind: 'halted',
    reason: 'wrong app version 1, upgrade handler is missing for v2 upgrade plan',
  });
});

test('v2 does not run before its height', () => {
  const dev = new DevChain({}, 2);
  dev.build({ version: chronicle, handlers: new Set(['v2']) });
  run(dev, schedule(0n, 'v2', 9n));
  expect(dev.block()).toMatchObject({
    kind: 'halted',
    reason: 'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary',
  });
});

test('a node starts with the last upgrade, v1, a version of the package, or a plan of the chain', () => {
  const begun = new DevChain({}, 2);
  const of = (dev: DevChain, chosen?: string): readonly string[] => handlersOf(chronicle, dev.state, chosen);
  expect([of(begun), of(begun, 'v1'), of(begun, 'v2')]).toEqual([[], [], ['v2']]);
  expect(() => of(begun, 'v4')).toThrow(UnknownVersionError);
  expect(() => of(begun, 'toString')).toThrow(
    '"toString" is no application version: there are v1, v2, v3, and the name of any upgrade plan that the chain has',
  );
  run(begun, schedule(0n, 'v4', 3n));
  expect(of(begun, 'v4')).toEqual(['v4']);
  expect(of(upgraded())).toEqual(['v2']);
});

test('a migration that fails halts the chain with its reason, and its block changes nothing', () => {
  const dev = new DevChain({}, 2);
  run(dev, schedule(0n, 'v2', 2n));
  const broken = {
    ...chronicle,
    upgrades: new Map([['v2', { added: [], deleted: [], renamed: [], modules: chronicle.modules.map(withoutStep) }]]),
  };
  dev.build({ version: broken, handlers: new Set(['v2']) });
  expect(dev.block()).toEqual({
    kind: 'halted',
    plan: { name: 'v2', height: 2n, info: 'i' },
    reason:
      'UPGRADE "v2" FAILED at height: 2: no migration found for module dev from version 1 to version 2: not found',
  });
});

function withoutStep(module: (typeof chronicle.modules)[number]) {
  return module.name === 'dev' ? { ...module, consensusVersion: 2n } : module;
}

test('a genesis exported by v2 starts a chain of v1 with the same parameter', () => {
  const { dev } = exported(upgraded());
  const begun = new DevChain({}, 2, true, { dev });
  expect(isEnabled({ store: new CacheStore(begun.state) })).toBe(true);
});
