import type { ChainStarted } from '../../core/log-events.js';
import { moduleVersions } from '../../core/modules/upgrade/plan-store.js';
import type { AppVersion } from '../../core/sdk/app-version.js';
import { CacheStore, EMPTY_STATE } from '../../core/state/overlay.js';

/** The chain was begun by a build whose preset had fewer modules: their genesis is not in its state. */
export class OlderChainError extends Error {
  override readonly name = 'OlderChainError';

  constructor(preset: string, modules: readonly string[]) {
    super(`its chain was begun when preset ${preset} had no modules ${modules.join(', ')}`);
  }
}

/** Throws OlderChainError when the genesis of a chain left out modules that no upgrade of the preset adds. */
export function requireModulesAtStart(
  { name, modules, upgrades, moduleVersions: needed }: AppVersion,
  { writes }: Pick<ChainStarted['data'], 'writes'>,
): void {
  const state = new CacheStore(EMPTY_STATE);
  for (const { store, key, value } of writes) if (value !== undefined) state.set(store, key, value);
  const begun = moduleVersions(state);
  const added = new Set([...upgrades.values()].flatMap((upgrade) => upgrade.added));
  const missing = modules.filter(
    (module) => module.name in needed && !begun.has(module.name) && !added.has(module.store ?? ''),
  );
  if (missing.length > 0)
    throw new OlderChainError(
      name,
      missing.map((module) => module.name),
    );
}
