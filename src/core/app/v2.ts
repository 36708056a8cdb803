import { devModuleV2 } from '../modules/dev/v2.js';
import { sampleModule } from '../modules/sample/module.js';
import type { Upgrade } from '../sdk/app-version.js';

/**
 * The second version of preset `chronicle`, with which a user tries a whole upgrade: it adds the module `sample` with a
 * store, and migrates the module `dev` from version 1 to 2, which renames its parameter `enabled`.
 */
export const v2: Upgrade = {
  modules: [devModuleV2, sampleModule],
  added: ['sample'],
  deleted: [],
  renamed: [],
};
