import { completedIn } from './plan-store.js';
import type { Multistore } from '../../multistore/multistore.js';
import type { StateWrite } from '../../state/state.js';
import type { AppVersion } from '../../sdk/app-version.js';

/**
 * Applies the writes of an executed block to the trees; the caller then commits them. The block of an upgrade also
 * changes the set of stores. That follows from its writes alone, so a replay of the log does the same.
 */
export function applyBlock(
  multistore: Multistore,
  version: Pick<AppVersion, 'storeUpgrades'>,
  height: bigint,
  writes: readonly StateWrite[],
): void {
  const upgrade = completedIn(writes, height);
  const stores = upgrade === undefined ? undefined : version.storeUpgrades[upgrade];
  if (stores === undefined) multistore.apply(writes);
  else multistore.applyUpgrade(stores, writes);
}

/** Every store that a chain of this version has, had, or will have after an upgrade. */
export function everyStore({ stores, storeUpgrades }: Pick<AppVersion, 'stores' | 'storeUpgrades'>): readonly string[] {
  const later = Object.values(storeUpgrades).flatMap(({ added, renamed }) => [
    ...added,
    ...renamed.map(({ to }) => to),
  ]);
  return [...new Set([...stores, ...later])];
}
