import type { Module } from '../sdk/module.js';
import { authModule } from './auth/module.js';
import { bankModule } from './bank/module.js';
import { consensusModule } from './consensus/module.js';
import { devModule } from './dev/module.js';
import { evmModule } from './evm/module.js';
import { feemarketModule } from './feemarket/module.js';
import { upgradeModule } from './upgrade/module.js';

/** Every module that exists: adding one is adding a folder and a line. */
export const modules: readonly Module[] = [
  authModule,
  bankModule,
  consensusModule,
  devModule,
  evmModule,
  feemarketModule,
  upgradeModule,
];
