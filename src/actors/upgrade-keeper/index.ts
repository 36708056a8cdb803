/** Upgrade plans as the host sees them. */
export type { UpgradeFacts, UpgradeKeeperPorts, UpgradeMode } from './machine.js';
export { createUpgradeKeeper, type UpgradeKeeper, type UpgradeView } from './upgrade-keeper.js';
