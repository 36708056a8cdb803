import type { AnteRule } from './ante.js';
import type { Hooks } from './hooks.js';
import type { Module } from './module.js';
import type { PrecompileSet } from './stateful-precompile.js';
import type { VersionFacts } from './version-facts.js';

/**
 * An application version as data: modules and stores, the orders in which they run, their consensus versions, the ante
 * rules, type URL aliases and rules. The SDK composes the same in an application's `app.go`.
 */
export interface AppVersion extends VersionFacts {
  /** Modules of this build; a name of `initOrder` that is not among them is missing. */
  readonly modules: readonly Module[];
  /** Ante rules of ordinary transactions (those of no module's own kind), in order. */
  readonly ante: readonly AnteRule[];
  readonly hooks: Hooks;
  /**
   * The later versions of this application by the names of their upgrade plans. A plan of another name changes neither
   * stores nor modules.
   */
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  /** Contracts that the chain answers for itself. */
  readonly precompiles: PrecompileSet;
}

/** Parts of an application version that a later one may have otherwise. */
export type VersionParts = Partial<
  Pick<
    AppVersion,
    'ante' | 'beginBlockOrder' | 'endBlockOrder' | 'hooks' | 'moduleAccounts' | 'precompiles' | 'typeUrlAliases'
  >
>;

/** A later application version: what its upgrade changes, in the block of the plan before the transactions. */
export interface Upgrade {
  /**
   * Parts of the application version that are other ones from this upgrade on. Such an upgrade also gives the messages,
   * queries and block hooks of its modules, and a genesis with a section of one of them begins with all
   * (`version-of-chain.ts`).
   */
  readonly parts?: (before: AppVersion) => VersionParts;
  /** Modules that it adds, and later versions of modules that are there, by name. */
  readonly modules?: readonly Module[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** Modules of an application version that this build has. */
export function presentModules({ modules, initOrder }: Pick<AppVersion, 'modules' | 'initOrder'>): readonly Module[] {
  return modules.filter(({ name }) => initOrder.includes(name));
}

/** Names of the modules that an application version needs and this build does not have, in order of InitGenesis. */
export function missingModules({ modules, initOrder }: Pick<AppVersion, 'modules' | 'initOrder'>): readonly string[] {
  const present = new Set(modules.map(({ name }) => name));
  return initOrder.filter((name) => !present.has(name));
}
