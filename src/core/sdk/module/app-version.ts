import type { AnteRule } from './ante.js';
import type { Hooks } from './hooks.js';
import type { Module } from './module.js';
import type { PrecompileSet } from './stateful-precompile.js';
import type { VersionFacts } from './version-facts.js';

/**
 * An application version as data: modules and stores, execution orders, consensus versions, ante rules, type URL
 * aliases and rules. The SDK's counterpart is an application's `app.go`.
 */
export interface AppVersion extends VersionFacts {
  /** Modules of this build; a name of `initOrder` without a module here is missing. */
  readonly modules: readonly Module[];
  /** Ante rules of ordinary transactions, in order; modules may define kinds with other ones. */
  readonly ante: readonly AnteRule[];
  readonly hooks: Hooks;
  /**
   * Later versions of this application by upgrade plan name. A plan with another name changes neither stores nor
   * modules.
   */
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  /** Precompiles of the chain. */
  readonly precompiles: PrecompileSet;
}

/** Parts of an application version that an upgrade may replace. */
export type VersionParts = Partial<
  Pick<
    AppVersion,
    'ante' | 'beginBlockOrder' | 'endBlockOrder' | 'hooks' | 'moduleAccounts' | 'precompiles' | 'typeUrlAliases'
  >
>;

/** A later application version: the changes that its upgrade makes in the plan's block, before the transactions. */
export interface Upgrade {
  /**
   * Parts of the application version that this upgrade replaces. Such an upgrade also adds messages, queries and
   * block hooks of its modules, and a genesis with a section of one of them starts with all of them
   * (`src/core/sdk/module/version-of-chain.ts`).
   */
  readonly parts?: (before: AppVersion) => VersionParts;
  /** Modules that it adds or replaces by later versions, matched by name. */
  readonly modules?: readonly Module[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** Modules of an application version that this build contains. */
export function presentModules({ modules, initOrder }: Pick<AppVersion, 'modules' | 'initOrder'>): readonly Module[] {
  return modules.filter(({ name }) => initOrder.includes(name));
}

/** Modules that an application version needs and this build lacks, in order of InitGenesis. */
export function missingModules({ modules, initOrder }: Pick<AppVersion, 'modules' | 'initOrder'>): readonly string[] {
  const present = new Set(modules.map(({ name }) => name));
  return initOrder.filter((name) => !present.has(name));
}
