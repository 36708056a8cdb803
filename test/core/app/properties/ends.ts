/** Rules that must hold at the end of each random history. */
import { expect } from 'vitest';
import { createMultistore } from '../../../../src/core/multistore/multistore.js';
import { create } from '@bufbuild/protobuf';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { getLastTotalPower } from '../../../../src/core/modules/staking/last-powers.js';
import { setPlan } from '../../../../src/core/modules/upgrade/plan-store.js';
import { toHeight } from '../../../../src/core/primitives.js';
import { PlanSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { chain as CHAIN } from '../dev-chain.js';
import { carried, expectFoundedAgain, exported } from '../founded-again.js';
import { crypto, fromHex, stateOf, toHex } from '../support.js';
import { PropertyChain } from './chain.js';

/** Placeholder: a chain with a given genesis document ignores its settings. */
const SETTINGS = { downtimeFraction: '', doubleSignFraction: '', maxValidators: 0, unbondingSeconds: 0 };

/**
 * Export and import give the same state, except for rows that an export leaves out: all other stores
 * have equal roots. A second export and import gives the same app hash, also after a block. A chain that has lost
 * all validators is skipped: its export starts no chain.
 */
export function expectSameAfterImport(chain: PropertyChain): void {
  const begin = (of: PropertyChain): PropertyChain =>
    new PropertyChain(of.version, SETTINGS, exported(of.state, of.exporting()));
  if (getLastTotalPower(chain.context()) === 0n) return;
  expectFoundedAgain(chain.state, chain.exporting());
  const again = begin(chain);
  expect(hashesOf(chain, carried(again.dump()))).toEqual(hashesOf(chain, carried(chain.dump())));
  const twice = begin(again);
  expect(hashesOf(chain, twice.dump())).toEqual(hashesOf(chain, again.dump()));
  for (const one of [again, twice]) one.block(one.facts(1n, 0, []), []);
  expect(hashesOf(chain, twice.dump())).toEqual(hashesOf(chain, again.dump()));
}

/** Applies the upgrade `v2` in the next block; its export starts a chain of `v1` with the same state. */
export function expectSameAfterUpgrade(chain: PropertyChain): void {
  if (!chain.version.upgrades.has('v2') || getLastTotalPower(chain.context()) === 0n) return;
  const store = new CacheStore(chain.state);
  const facts = chain.facts(1n, 0, []);
  setPlan(store, create(PlanSchema, { name: 'v2', height: facts.height }));
  const { version } = chain;
  const app = createApplication({ version, chain: CHAIN, crypto, handlers: new Set(['v2']) });
  const result = app.finalizeBlock(store, { ...facts, hash: new Uint8Array(32), txs: [] });
  if (result.kind !== 'executed') throw new Error(result.reason);
  const at = { chainId: facts.chainId, height: facts.height, time: facts.time };
  expectFoundedAgain(stateOf(result.writes, store), { ...chain.exporting(), at }, /^(dev|sample|upgrade 02)/);
}

/** App hash and store roots of trees whose first version has these rows. */
function hashesOf({ version }: PropertyChain, pairs: readonly string[]): readonly string[] {
  const multistore = createMultistore({ stores: version.stores, crypto });
  multistore.apply(
    pairs.map((pair) => {
      const [store = '', key = '', value = ''] = pair.split(' ');
      return { store, key: fromHex(key), value: fromHex(value) };
    }),
  );
  const { appHash, roots } = multistore.commit(toHeight(1n));
  return [`app hash ${toHex(appHash)}`, ...roots.map(({ name, root }) => `${name} ${toHex(root)}`)];
}

export function expectUnchangedByQueries(chain: PropertyChain): void {
  const before = chain.dump();
  const answers = chain.askAll();
  expect(chain.dump()).toEqual(before);
  expect(chain.askAll()).toEqual(answers);
}
