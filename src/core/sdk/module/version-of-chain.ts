/**
 * The application version of one chain. An upgrade with `parts` is a later version of its preset as a whole. A chain
 * has it from its genesis where that has a section of one of its modules, which the export of a chain has, too; every
 * other chain has it from the block that applies its plan.
 */
import type { AppVersion, Upgrade } from './app-version.js';
import type { ChainConfig } from './chain-config.js';

/** The version with which a chain of a preset begins. The version of a chain stays as it is. */
export function versionOfChain(
  version: AppVersion,
  { genesisModules = [] }: Pick<ChainConfig, 'genesisModules'>,
): AppVersion {
  return laterVersions(version)
    .filter((upgrade) => newModules(version, upgrade).some((name) => genesisModules.includes(name)))
    .reduce((before, { name }) => versionAfter(before, name), version);
}

/** Names of the modules that an upgrade adds to a version. */
function newModules({ initOrder }: AppVersion, { modules = [] }: Upgrade): readonly string[] {
  return modules.flatMap(({ name }) => (initOrder.includes(name) ? [] : [name]));
}

/** The upgrades with `parts` that a version does not have yet, in their order. */
export function laterVersions({ upgrades }: Pick<AppVersion, 'upgrades'>): readonly (Upgrade & {
  readonly name: string;
})[] {
  return [...upgrades].flatMap(([name, upgrade]) => (upgrade.parts === undefined ? [] : [{ ...upgrade, name }]));
}

/** The version of a chain whose state has these modules, after that with which it began. */
export function versionWith(begun: AppVersion, hasModule: (name: string) => boolean): AppVersion {
  return laterVersions(begun)
    .filter((upgrade) => newModules(begun, upgrade).some(hasModule))
    .reduce((before, { name }) => versionAfter(before, name), begun);
}

const known = new WeakMap<AppVersion, Map<string, AppVersion>>();

/** The version after one of its upgrades, the same object each time. Its plan then changes nothing more. */
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
