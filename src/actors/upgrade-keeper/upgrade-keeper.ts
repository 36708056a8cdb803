import type { UpgradePlan } from '../../core/modules/upgrade/plan.js';
import type { ChildSpec } from '../shell/child.js';
import { upgradeKeeperMachine, type UpgradeKeeperPorts, type UpgradeMode } from './machine.js';

/** Read access to the upgrade keeper, as of the newest block it handled; stays available while the actor restarts. */
export interface UpgradeView {
  mode(): UpgradeMode;
  /** The plan for which the node is halted; undefined when it is not. */
  halt(): UpgradePlan | undefined;
}

export interface UpgradeKeeper {
  readonly child: ChildSpec<'upgradeKeeper'>;
  readonly view: UpgradeView;
}

/**
 * Creates the upgrade keeper, which tracks upgrade plans for the host. The plan itself is in the application's store;
 * the keeper owns the halt, and writes `upgrade-info.json` when the chain halts and at each start on a halted chain.
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
