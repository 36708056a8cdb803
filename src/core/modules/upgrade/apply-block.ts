import { completedIn } from './plan-store.js';
import type { Multistore } from '../../multistore/multistore.js';
import type { StateWrite } from '../../state/state.js';
import type { AppVersion } from '../../sdk/module/app-version.js';

/**
 * Applies a block's writes to the trees; the caller then commits them. An upgrade block also changes the set of
 * stores, which follows from its writes alone, so a replay of the log does the same.
 */
export function applyBlock(
  multistore: Multistore,
  version: Pick<AppVersion, 'upgrades'>,
  height: bigint,
  writes: readonly StateWrite[],
): void {
  const upgrade = completedIn(writes, height);
  const stores = upgrade === undefined ? undefined : version.upgrades.get(upgrade);
  if (stores === undefined) multistore.apply(writes);
  else multistore.applyUpgrade(stores, writes);
}

/** Stores of a chain of this version after upgrades with these names, in order. */
export function storesAfter(
  { stores, upgrades }: Pick<AppVersion, 'stores' | 'upgrades'>,
  names: Iterable<string>,
): Iterable<string> {
  const after = new Set(stores);
  for (const name of names) {
    const { added = [], renamed = [], deleted = [] } = upgrades.get(name) ?? {};
    for (const store of [...added, ...renamed.map(({ to }) => to)]) after.add(store);
    for (const store of [...deleted, ...renamed.map(({ from }) => from)]) after.delete(store);
  }
  return after;
}

/** All stores that a chain of this version has, had, or will have after an upgrade. */
export function everyStore({ stores, upgrades }: Pick<AppVersion, 'stores' | 'upgrades'>): readonly string[] {
  const later = [...upgrades.values()].flatMap(({ added, renamed }) => [...added, ...renamed.map(({ to }) => to)]);
  return [...new Set([...stores, ...later])];
}
