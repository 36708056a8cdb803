import type { Context } from '../../sdk/context.js';
import type { Module } from '../../sdk/module.js';
import { SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import type { StateStore } from '../../state/state.js';
import type { Plan } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import {
  clearIbcState,
  clearPlan,
  getPlan,
  lastCompleted,
  moduleVersions,
  protocolVersion,
  setCompleted,
  setModuleVersions,
  setProtocolVersion,
} from './plan-store.js';

/** What the upgrade module says before a block: go on, or do not execute it. */
export type UpgradeVerdict =
  | { readonly kind: 'continue'; readonly applied: string | undefined }
  | {
      readonly kind: 'halt';
      readonly plan: { readonly name: string; readonly height: bigint; readonly info: string };
      readonly reason: string;
    };

export interface UpgradeAbilities {
  /** Upgrade names that this build can apply. */
  readonly handlers: ReadonlySet<string>;
  /** Heights whose plan is dropped instead of applied (`--unsafe-skip-upgrades`). */
  readonly skipHeights: ReadonlySet<bigint>;
  readonly modules: readonly Module[];
}

/**
 * The PreBlocker in the SDK's exact order and texts (application-modules.md 2.4). `follows`: the block before was executed with
 * the same abilities; as in the SDK, only the first block asks whether the last upgrade's handler is there.
 */
export function preBlockUpgrade(context: Context, abilities: UpgradeAbilities, follows = false): UpgradeVerdict {
  const { store, height } = context;
  const plan = getPlan(store);
  const due = plan !== undefined && plan.height > 0n && plan.height <= height;
  const skipped = abilities.skipHeights.has(height);

  if (!follows && (!due || skipped)) {
    const last = lastCompleted(store);
    if (last !== undefined && !abilities.handlers.has(last.name)) {
      return halt(
        { ...last, info: '' },
        `wrong app version ${protocolVersion(store)}, upgrade handler is missing for ${last.name} upgrade plan`,
      );
    }
  }
  if (plan === undefined) return proceed();
  if (due) {
    if (skipped) {
      clearIbcState(store, plan.height);
      clearPlan(store);
      return proceed();
    }
    if (!abilities.handlers.has(plan.name))
      return halt(plan, `UPGRADE "${plan.name}" NEEDED at height: ${plan.height}: ${plan.info}`);
    applyUpgrade(context, plan, abilities.modules);
    return { kind: 'continue', applied: plan.name };
  }
  if (abilities.handlers.has(plan.name) && !abilities.skipHeights.has(plan.height)) {
    return halt(
      plan,
      `BINARY UPDATED BEFORE TRIGGER! UPGRADE "${plan.name}" - in binary but not executed on chain. Downgrade your binary`,
    );
  }
  return proceed();
}

/** Store changes, migrations, version map, protocol version, done marker: what the block of a plan does before its transactions. */
function applyUpgrade(context: Context, plan: Plan, modules: readonly Module[]): void {
  const { store, version, height } = context;
  upgradeStores(store, version.storeUpgrades[plan.name]);
  setModuleVersions(store, runMigrations(context, modules, moduleVersions(store)));
  setProtocolVersion(store, protocolVersion(store) + 1n);
  clearIbcState(store, height - 1n);
  clearPlan(store);
  setCompleted(store, { name: plan.name, height });
}

function upgradeStores(store: StateStore, upgrade: Context['version']['storeUpgrades'][string] | undefined): void {
  for (const { from, to } of upgrade?.renamed ?? []) {
    for (const { key, value } of [...store.range(from, {})]) {
      store.set(to, key, value);
      store.delete(from, key);
    }
  }
  for (const name of upgrade?.deleted ?? []) for (const { key } of [...store.range(name, {})]) store.delete(name, key);
}

/**
 * SDK RunMigrations: modules alphabetically with `auth` last, each step by step to its version; a module that is new
 * starts with its default genesis. Returns the new version map. Throws SdkError 38 for a missing step.
 */
function runMigrations(
  context: Context,
  modules: readonly Module[],
  from: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  const order = [...modules].sort((a, b) =>
    a.name === 'auth' ? 1 : b.name === 'auth' ? -1 : a.name < b.name ? -1 : 1,
  );
  const versions = new Map(from);
  for (const module of order) {
    const current = from.get(module.name);
    if (current === undefined) module.initGenesis(context, undefined, { consensusParams: emptyParams });
    for (let step = current ?? module.consensusVersion; step < module.consensusVersion; step++) {
      const migrate = module.migrations.get(step);
      if (migrate === undefined) {
        throw new SdkError(
          sdkErrors.notFound,
          `no migration found for module ${module.name} from version ${step} to version ${step + 1n}`,
        );
      }
      migrate(context);
    }
    versions.set(module.name, module.consensusVersion);
  }
  return versions;
}

const emptyParams = { $typeName: 'tendermint.types.ConsensusParams' } as const;

function proceed(): UpgradeVerdict {
  return { kind: 'continue', applied: undefined };
}

function halt(
  plan: { readonly name: string; readonly height: bigint; readonly info: string },
  reason: string,
): UpgradeVerdict {
  return { kind: 'halt', plan: { name: plan.name, height: plan.height, info: plan.info }, reason };
}
