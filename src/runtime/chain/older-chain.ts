import type { ChainStarted } from '../../core/log-events.js';
import { moduleVersions } from '../../core/modules/upgrade/plan-store.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';
import { lostSigners } from '../../core/sdk/module/development-chain.js';
import type { StateReader } from '../../core/state/state.js';
import { CacheStore, EMPTY_STATE } from '../../core/state/overlay.js';

/** The chain was written by an older build, and this build cannot continue it. */
export class OlderChainError extends Error {
  override readonly name = 'OlderChainError';
}

/** Throws OlderChainError when an older build applied the upgrade `v2`, which then lost rows of module dev. */
export function refuseLostSigners(state: Pick<StateReader, 'get'>): void {
  if (!lostSigners(state)) return;
  throw new OlderChainError(
    'its chain applied the upgrade v2 with a build that wrote two rows of module dev at one key',
  );
}

/** Throws OlderChainError when the genesis lacks modules that the preset now has and no upgrade adds. */
export function requireGenesisModules(
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
      `its chain was begun when preset ${name} had no modules ${missing.map((module) => module.name).join(', ')}`,
    );
}
