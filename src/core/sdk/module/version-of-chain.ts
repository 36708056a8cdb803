/**
 * The application version of a chain. An upgrade with `parts` is a later version of the whole preset. A chain has it
 * from genesis if its genesis has a section of one of the upgrade's modules (as an exported genesis does); other
 * chains get it in the block that applies the plan.
 */
import type { AppVersion, Upgrade } from './app-version.js';
import type { ChainConfig } from './chain-config.js';

/** Version with which a chain of a preset starts. */
export function versionOfChain(
  version: AppVersion,
  { genesisModules = [] }: Pick<ChainConfig, 'genesisModules'>,
): AppVersion {
  return laterVersions(version)
    .filter((upgrade) => newModules(version, upgrade).some((name) => genesisModules.includes(name)))
    .reduce((before, { name }) => versionAfter(before, name), version);
}

/** Names of modules that an upgrade adds to a version. */
function newModules({ initOrder }: AppVersion, { modules = [] }: Upgrade): readonly string[] {
  return modules.flatMap(({ name }) => (initOrder.includes(name) ? [] : [name]));
}

/** Upgrades with `parts` that a version does not include yet, in order. */
export function laterVersions({ upgrades }: Pick<AppVersion, 'upgrades'>): readonly (Upgrade & {
  readonly name: string;
})[] {
  return [...upgrades].flatMap(([name, upgrade]) => (upgrade.parts === undefined ? [] : [{ ...upgrade, name }]));
}

/** Version of a chain with these modules in its state; `begun` is the version that it started with. */
export function versionWith(begun: AppVersion, hasModule: (name: string) => boolean): AppVersion {
  return laterVersions(begun)
    .filter((upgrade) => newModules(begun, upgrade).some(hasModule))
    .reduce((before, { name }) => versionAfter(before, name), begun);
}

const known = new WeakMap<AppVersion, Map<string, AppVersion>>();

/** Version after one of its upgrades; the same object each time. Applying the plan again changes nothing. */
export function versionAfter(version: AppVersion, name: string): AppVersion {
  const upgrade = version.upgrades.get(name);
  if (upgrade?.parts === undefined) return version;
  const after = known.get(version) ?? new Map<string, AppVersion>();
  known.set(version, after);
  const made = after.get(name) ?? upgraded(version, name, upgrade);
  after.set(name, made);
  return made;
}

function upgraded(version: AppVersion, name: string, { modules = [], parts, added, deleted }: Upgrade): AppVersion {
  const all = new Map([...version.modules, ...modules].map((module) => [module.name, module]));
  const stores = new Set([...version.stores, ...added]);
  return {
    ...version,
    ...parts?.(version),
    modules: [...all.values()],
    initOrder: [...new Set([...version.initOrder, ...modules.map((module) => module.name)])],
    stores: [...stores].filter((store) => !deleted.includes(store)).toSorted(),
    moduleVersions: {
      ...version.moduleVersions,
      ...Object.fromEntries(modules.map((module) => [module.name, module.consensusVersion])),
    },
    upgrades: new Map([...version.upgrades, [name, NOTHING]]),
  };
}

const NOTHING: Upgrade = { added: [], deleted: [], renamed: [] };
