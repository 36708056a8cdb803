/** Tracks upgrade plans for the host. */
export type { UpgradeFacts, UpgradeKeeperPorts, UpgradeMode } from './machine.js';
export { createUpgradeKeeper, type UpgradeKeeper, type UpgradeView } from './upgrade-keeper.js';
