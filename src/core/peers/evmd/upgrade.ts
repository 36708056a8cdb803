import { upgradeRules } from '../../modules/upgrade/rules.js';

/** Upgrades of cosmos-sdk v0.53: gov alone schedules them. */
export const upgrade = upgradeRules.with({ namedAuthority: () => undefined });
