/** What must hold at the end of each random history. */
import { expect } from 'vitest';
import { createMultistore } from '../../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../../src/core/primitives.js';
import { crypto, fromHex, toHex } from '../support.js';
import type { PropertyChain } from './chain.js';

/**
 * What the SDK itself leaves out when it exports a state or begins with one, by store and beginning of the key. The
 * state after the import has no such keys until its own blocks make them.
 */
const NOT_EXPORTED: readonly { readonly store: string; readonly key: RegExp; readonly reason: string }[] = [
  {
    store: 'staking',
    key: /^50/,
    reason: 'headers of past blocks: no field in GenesisState (cosmos-sdk v0.53 x/staking/keeper/genesis.go)',
  },
  {
    store: 'staking',
    key: /^61/,
    reason: 'changes of validators of the last block: SetValidatorUpdates is not called for an exported genesis',
  },
  {
    store: 'staking',
    key: /^37/,
    reason: 'the count of unbondings: no field in GenesisState, IncrementUnbondingID begins again with 1',
  },
  {
    store: 'staking',
    key: /^38/,
    reason: 'unbondings by their number: InitGenesis calls SetUnbondingDelegation, which writes no such index',
  },
  {
    store: 'staking',
    key: /^39/,
    reason: 'kinds of unbondings by their number: as 38',
  },
  {
    store: 'slashing',
    key: /^02\w+ 0000000000000400(00){128}$/,
    reason: 'windows without a missed block: only missed blocks are listed (x/slashing/keeper/genesis.go)',
  },
];

/** True for a pair `store key value` that no genesis holds. */
function isNotExported(pair: string): boolean {
  const [name = '', ...rest] = pair.split(' ');
  return NOT_EXPORTED.some(({ store, key }) => store === name && key.test(rest.join(' ')));
}

/**
 * A chain that begins with what another exported has the same state, but for what the SDK does not export: the other
 * stores have equal roots. Exported and begun once more, it has the same app hash, also after a block.
 */
export function expectSameAfterImport(chain: PropertyChain): void {
  const exported = chain.exported();
  const again = chain.beginAgain(exported);
  expect(again.exported()).toEqual(exported);
  const carried = chain.dump().filter((pair) => !isNotExported(pair));
  expect(again.dump()).toEqual(carried);
  expect(hashesOf(chain, again.dump())).toEqual(hashesOf(chain, carried));
  const twice = chain.beginAgain(again.exported());
  expect(hashesOf(chain, twice.dump())).toEqual(hashesOf(chain, again.dump()));
  for (const one of [again, twice]) one.block(one.facts(1n, 0, []), []);
  expect(hashesOf(chain, twice.dump())).toEqual(hashesOf(chain, again.dump()));
}

/** The app hash and the root of each store, of trees that get these pairs as their first version. */
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
