import type { UpgradePlan } from '../../core/modules/upgrade/plan.js';
import type { ChildSpec } from '../shell/child.js';
import { upgradeKeeperMachine, type UpgradeKeeperPorts, type UpgradeMode } from './machine.js';

/**
 * The readable state of the upgrade keeper, as of the newest block that it heard; it stays available while the actor is
 * made again.
 */
export interface UpgradeView {
  mode(): UpgradeMode;
  /** The plan at which the node is halted, because this build cannot execute its block. */
  halt(): UpgradePlan | undefined;
}

export interface UpgradeKeeper {
  readonly child: ChildSpec<'upgradeKeeper'>;
  readonly view: UpgradeView;
}

/**
 * Follows upgrade plans for the host. The plan belongs to the application's store; the keeper owns the halt, and
 * `upgrade-info.json`, which is written when the chain halts and at each start of the node on a halted chain.
 */
export function createUpgradeKeeper(ports: UpgradeKeeperPorts): UpgradeKeeper {
  let shown: { readonly mode: UpgradeMode; readonly halt: UpgradePlan | undefined } = { mode: 'none', halt: undefined };
  const show = (mode: UpgradeMode, halt: UpgradePlan | undefined): void => {
    shown = { mode, halt };
  };
  return {
    child: { id: 'upgradeKeeper', logic: upgradeKeeperMachine({ ...ports, show }), input: () => undefined },
    view: { mode: () => shown.mode, halt: () => shown.halt },
  };
}
