import type { Context } from '../../sdk/module/context.js';
import type { Upgrade } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';
import type { Build, PreBlockReport } from '../../sdk/module/pre-block.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { RangeMiss } from '../../state/range-miss.js';
import type { StateStore } from '../../state/state.js';
import type { Plan } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { modulesAfter } from './modules-of.js';
import { upgradeFailed, upgradeNeeded } from './plan.js';
import {
  clearIbcState,
  clearPlan,
  completedUpgrades,
  getPlan,
  lastCompleted,
  moduleVersions,
  protocolVersion,
  setCompleted,
  setModuleVersions,
  setProtocolVersion,
} from './plan-store.js';

/**
 * PreBlocker: applies a due plan or decides to halt, in the order and with the texts of the SDK v0.53
 * (`x/upgrade/abci.go`). Only the first block of a process checks for the last upgrade's handler.
 */
export function preBlock(context: Context, build: Build): PreBlockReport | undefined {
  const { store, height } = context;
  const plan = getPlan(store);
  const due = plan !== undefined && plan.height > 0n && plan.height <= height;
  const skipped = build.skipHeights.has(height);

  if (!build.follows && (!due || skipped)) {
    const last = lastCompleted(store);
    if (last !== undefined && !build.handlers.has(last.name)) {
      return halt(
        { ...last, info: '' },
        `wrong app version ${protocolVersion(store)}, upgrade handler is missing for ${last.name} upgrade plan`,
      );
    }
  }
  if (plan === undefined) return undefined;
  if (due) {
    if (skipped) {
      clearIbcState(store, plan.height);
      clearPlan(store);
      return undefined;
    }
    if (!build.handlers.has(plan.name)) return halt(plan, upgradeNeeded(plan));
    return attempted(plan, () => applyUpgrade(context, plan)) ?? { kind: 'upgraded', name: plan.name };
  }
  if (build.handlers.has(plan.name) && !build.skipHeights.has(plan.height)) {
    return halt(
      plan,
      `BINARY UPDATED BEFORE TRIGGER! UPGRADE "${plan.name}" - in binary but not executed on chain. Downgrade your binary`,
    );
  }
  return undefined;
}

/** Runs a migration; when it fails, returns a halt: the block is not executed and its writes are dropped. */
function attempted(plan: Plan, apply: () => void): PreBlockReport | undefined {
  try {
    apply();
    return undefined;
  } catch (error) {
    if (error instanceof RangeMiss) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return halt(plan, upgradeFailed(plan, reason));
  }
}

/**
 * Applies an upgrade before the transactions of its block: store changes, migrations, version map, protocol version,
 * done marker.
 */
function applyUpgrade(context: Context, plan: Plan): void {
  const { store, height } = context;
  const version = versionOf(context);
  upgradeStores(store, version.upgrades.get(plan.name));
  const names = Array.from(completedUpgrades(store), ({ name }) => name).toReversed();
  const modules = modulesAfter(version, [...names, plan.name]);
  setModuleVersions(store, runMigrations(context, modules, moduleVersions(store)));
  setProtocolVersion(store, protocolVersion(store) + 1n);
  clearIbcState(store, height - 1n);
  clearPlan(store);
  setCompleted(store, { name: plan.name, height });
}

function upgradeStores(store: StateStore, upgrade: Upgrade | undefined): void {
  for (const { from, to } of upgrade?.renamed ?? []) {
    for (const { key, value } of [...store.range(from, {})]) {
      store.set(to, key, value);
      store.delete(from, key);
    }
  }
  for (const name of upgrade?.deleted ?? []) for (const { key } of [...store.range(name, {})]) store.delete(name, key);
}

/** Throws for genesis transactions of a module that an upgrade adds. */
function refuse(): never {
  throw new SdkError(sdkErrors.logic, 'transactions of a genesis in an upgrade');
}

/**
 * SDK RunMigrations: modules alphabetically with `auth` last, each step by step to its version; a new module starts
 * with its default genesis. Returns the new version map. Throws SDK error 38 for a missing step.
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
    if (current === undefined)
      module.initGenesis(context, undefined, {
        initialHeight: context.height,
        consensusParams: emptyParams,
        deliver: refuse,
      });
    for (let step = current ?? module.consensusVersion; step < module.consensusVersion; step++) {
      const migrate = module.migrations?.get(step);
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

function halt(
  plan: { readonly name: string; readonly height: bigint; readonly info: string },
  reason: string,
): PreBlockReport {
  return { kind: 'halt', plan: { name: plan.name, height: plan.height, info: plan.info }, reason };
}
