import type { AppVersion } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';
import { presentModules } from '../../sdk/module/app-version.js';
import { versionWith } from '../../sdk/module/version-of-chain.js';
import type { StateReader } from '../../state/state.js';
import { hasModule } from './plan-store.js';

/** Modules of an application after upgrades with these names, in order. */
export function modulesAfter(
  version: Pick<AppVersion, 'modules' | 'initOrder' | 'upgrades'>,
  upgrades: Iterable<string>,
): readonly Module[] {
  const modules = new Map(presentModules(version).map((module) => [module.name, module]));
  for (const name of upgrades)
    for (const module of version.upgrades.get(name)?.modules ?? []) modules.set(module.name, module);
  return [...modules.values()];
}

/** Version of a chain with this state; `begun` is the version that it started with. */
export function versionOver(begun: AppVersion, state: Pick<StateReader, 'get'>): AppVersion {
  return versionWith(begun, (name) => hasModule(state, name));
}
