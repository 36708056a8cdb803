import { epochsModule } from '../../modules/epochs/module.js';
import type { Upgrade } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';

/** The modules that `v3` adds, in order of InitGenesis. */
const MODULES: readonly Module[] = [epochsModule];

/**
 * The third version of preset `chronicle`, with the modules of evmos v3.0.0. New chains begin with it, because their
 * genesis has sections of its modules; others get it by the plan `v3`.
 */
export const chronicleV3: Upgrade = {
  modules: MODULES,
  added: MODULES.flatMap(({ store = [] }) => store),
  deleted: [],
  renamed: [],
  parts: ({ beginBlockOrder }) => ({ beginBlockOrder: ['epochs', ...beginBlockOrder] }),
};
