import type { AppVersion } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';
import { presentModules } from '../../sdk/module/app-version.js';

/** Modules of an application after upgrades of these names, in this order. */
export function modulesAfter(
  version: Pick<AppVersion, 'modules' | 'initOrder' | 'upgrades'>,
  upgrades: Iterable<string>,
): readonly Module[] {
  const modules = new Map(presentModules(version).map((module) => [module.name, module]));
  for (const name of upgrades)
    for (const module of version.upgrades.get(name)?.modules ?? []) modules.set(module.name, module);
  return [...modules.values()];
}
