/**
 * Parts that all presets share. Each thread loads them with its code, and its chain's preset later
 * (`src/runtime/load-preset.ts`).
 */
import type { AppVersion } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';
export { authModule } from '../../modules/auth/module.js';
export { authzModule } from '../../modules/authz/module.js';
export { bankModule } from '../../modules/bank/module.js';
export { consensusModule } from '../../modules/consensus/module.js';
export { distributionModule } from '../../modules/distribution/module.js';
export { distributionHooks } from '../../modules/distribution/hooks.js';
export { erc20Module } from '../../modules/erc20/module.js';
export { evidenceModule } from '../../modules/evidence/module.js';
export { evmModule } from '../../modules/evm/module.js';
export { feegrantModule } from '../../modules/feegrant/module.js';
export { feemarketModule } from '../../modules/feemarket/module.js';
export { genutilModule } from '../../modules/genutil/module.js';
export { mintModule } from '../../modules/mint/module.js';
export { slashingHooks } from '../../modules/slashing/hooks.js';
export { slashingModule } from '../../modules/slashing/module.js';
export { stakingModule } from '../../modules/staking/module.js';
export { govModule } from '../../modules/gov/module.js';
export { upgradeModule } from '../../modules/upgrade/module.js';
export { vestingModule } from '../../modules/vesting/module.js';
export { ANTE } from '../../modules/ante.js';
export { typeUrlAliases } from '../../sdk/codec/type-url-aliases.js';

/**
 * Facts of an application version with exactly these modules, in order of InitGenesis. A module with a block hook
 * must also be listed in that hook's order.
 */
export function ofModules(
  modules: readonly Module[],
): Pick<AppVersion, 'modules' | 'initOrder' | 'stores' | 'moduleVersions'> {
  return {
    modules,
    initOrder: modules.map(({ name }) => name),
    stores: modules.flatMap(({ store = [] }) => store).toSorted(),
    moduleVersions: Object.fromEntries(modules.map(({ name, consensusVersion }) => [name, consensusVersion])),
  };
}
