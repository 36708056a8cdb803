/** A chain has the modules of a later version from its genesis, or from the block that applies its plan. */
import { expect, test } from 'vitest';
import { chronicle } from '../../../src/core/app/presets.js';
import { devGenesis } from '../../../src/core/genesis/dev-genesis.js';
import { applyBlock } from '../../../src/core/modules/upgrade/apply-block.js';
import { moduleVersions } from '../../../src/core/modules/upgrade/plan-store.js';
import { createMultistore, type Multistore } from '../../../src/core/multistore/multistore.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { MsgSoftwareUpgradeSchema } from '../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { MsgClawbackSchema } from '../../../src/core/proto/evmos/vesting/v1/tx_pb.js';
import * as pb from '../../../src/core/proto/evmos/epochs/v1/query_pb.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import { versionOfChain } from '../../../src/core/sdk/module/version-of-chain.js';
import { mergeWrites } from '../../../src/core/state/merge-writes.js';
import type { StateReader, StateWrite } from '../../../src/core/state/state.js';
import { account, chain, DevChain, refusal, signed } from './dev-chain.js';
import { exported, founded } from './founded-again.js';
import { crypto, stateOf, toHex } from './support.js';

const PATH = '/evmos.epochs.v1.Query/CurrentEpoch';
const ADDED =
  chronicle.upgrades
    .get('v3')
    ?.modules?.map(({ name }) => name)
    .filter((name) => !chronicle.initOrder.includes(name)) ?? [];

const schedule = (height: bigint): Uint8Array =>
  signed(0, 0n, MsgSoftwareUpgradeSchema, { authority: account(0).address, plan: { name: 'v3', height, info: '' } });

const currentDay = (dev: DevChain): bigint =>
  dev.query(PATH, pb.QueryCurrentEpochRequestSchema, { identifier: 'day' }, pb.QueryCurrentEpochResponseSchema)
    .currentEpoch;

/** Writes of a block; those of the first one with the genesis. */
function run(dev: DevChain, ...txs: readonly Uint8Array[]): readonly StateWrite[] {
  const isFirst = dev.height === 0n;
  const result = dev.block(...txs);
  if (result.kind !== 'executed') throw new Error(result.reason);
  expect(result.results.txResults.map(({ log }) => log)).toEqual(txs.map(() => ''));
  return isFirst ? mergeWrites(dev.genesisWrites, result.writes) : result.writes;
}

const storesOf = (version: AppVersion): Multistore =>
  createMultistore({ stores: version.stores, crypto, provableHeights: 10 });

test('a chain whose genesis has a section of a v3 module starts with all modules of v3', () => {
  const document = devGenesis(crypto, {
    chainId: chain.chainId,
    time: toTimeNs(5_000_000_000n),
    accounts: [account(0).address],
    validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1000n, name: 'dev' }],
  });
  const named = founded(JSON.parse(JSON.stringify(document)), chronicle);
  expect([...moduleVersions(named.state).keys()]).toEqual(expect.arrayContaining(ADDED));
  const version = versionOfChain(chronicle, named.chain);
  expect(version.stores).toEqual(expect.arrayContaining(['epochs', 'evm']));
  expect(versionOfChain(chronicle, named.chain)).toBe(version);
  expect(versionOfChain(version, named.chain)).toBe(version);

  const plain = Object.fromEntries(Object.entries(document.app_state).filter(([name]) => !ADDED.includes(name)));
  const unnamed = founded(JSON.parse(JSON.stringify({ ...document, app_state: plain })), chronicle);
  expect([...moduleVersions(unnamed.state).keys()].filter((name) => ADDED.includes(name))).toEqual([]);
  expect(versionOfChain(chronicle, unnamed.chain)).toBe(chronicle);
  expect(unnamed.begun.writes.filter(({ store }) => ADDED.includes(store))).toEqual([]);
});

test('the upgrade plan v3 adds its modules, and earlier heights keep the modules they had', () => {
  const dev = new DevChain({ handlers: new Set() }, 2);
  const multistore = storesOf(chronicle);
  const hashes: string[] = [];
  const states: StateReader[] = [];
  const blocks: (readonly StateWrite[])[] = [];
  const block = (...txs: readonly Uint8Array[]): void => {
    states.push(dev.state);
    const writes = run(dev, ...txs);
    blocks.push(writes);
    applyBlock(multistore, chronicle, dev.height, writes);
    hashes.push(toHex(multistore.commit(toHeight(dev.height)).appHash));
  };
  block(schedule(3n));
  block();
  expect(() => currentDay(dev)).toThrow('unknown query path');
  expect(dev.block()).toMatchObject({ kind: 'halted', reason: 'UPGRADE "v3" NEEDED at height: 3: ' });
  dev.build({ version: chronicle, handlers: new Set(['v3']) });
  block();
  block();
  expect([...moduleVersions(dev.state).keys()]).toEqual(expect.arrayContaining(ADDED));
  expect(currentDay(dev)).toBe(1n);
  expect(multistore.stores).toEqual(versionOfChain(chronicle, { genesisModules: ['epochs'] }).stores);

  // Another process executes the same blocks again, from the state before each.
  const again = new DevChain({ version: chronicle, handlers: new Set(['v3']) }, 2);
  again.state = states[2] ?? again.state;
  again.height = 2n;
  expect([run(again), run(again)]).toEqual(blocks.slice(2));
  const replayed = storesOf(chronicle);
  expect(
    blocks.map((writes, index) => {
      applyBlock(replayed, chronicle, BigInt(index + 1), writes);
      return toHex(replayed.commit(toHeight(BigInt(index + 1))).appHash);
    }),
  ).toEqual(hashes);

  // After a revert to a height before the upgrade, the modules of that height apply.
  const head = dev.state;
  dev.state = states[1] ?? head;
  expect(() => currentDay(dev)).toThrow('unknown query path');
  dev.state = head;
  expect(currentDay(dev)).toBe(1n);

  const at = dev.at();
  const document = exported(dev.state, { version: chronicle, chain, at, founding: dev.founding });
  const next = founded(document, chronicle);
  expect([...moduleVersions(next.state)]).toEqual([...moduleVersions(dev.state)]);
  expect(toHex(stateOf(next.begun.writes).get('epochs', epochKey()) ?? new Uint8Array())).toContain('6461');
});

const epochKey = (): Uint8Array => Uint8Array.of(1, ...Buffer.from('day'));

test('the plan v3 writes nothing on a chain that started with its modules', () => {
  const dev = new DevChain({ chain: { ...chain, genesisModules: ['epochs'] } }, 2);
  const before = [...moduleVersions(dev.state)];
  run(dev, schedule(2n));
  dev.build({ chain: { ...chain, genesisModules: ['epochs'] }, handlers: new Set(['v3']) });
  const writes = run(dev);
  expect([...moduleVersions(dev.state)]).toEqual(before);
  expect(writes.filter(({ store }) => ADDED.includes(store))).toEqual([]);
});

test('messages of v3 are unknown before the height of the plan, and at it when the plan is skipped', () => {
  const dev = new DevChain({}, 2);
  const clawback = (): Uint8Array =>
    signed(1, 0n, MsgClawbackSchema, { funderAddress: account(1).address, accountAddress: account(0).address });
  run(dev, schedule(3n));
  dev.build({ handlers: new Set(['v3']), skipUpgradeHeights: new Set([3n]) });
  const unknown = 'unable to resolve type URL /evmos.vesting.v1.MsgClawback';
  expect(refusal(dev.block(clawback()))).toContain(unknown);
  expect(refusal(dev.block(clawback()))).toContain(unknown);
  expect(() => currentDay(dev)).toThrow('unknown query path');
});
