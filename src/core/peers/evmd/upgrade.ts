import { upgradeRules } from '../../modules/upgrade/rules.js';

/** Upgrades in cosmos-sdk v0.53: only gov schedules them. */
export const upgrade = upgradeRules.with({ namedAuthority: () => undefined });
