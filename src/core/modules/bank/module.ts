/** The bank: who holds how much (application-modules.md 1.3). */
import type { Module } from '../../sdk/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { supplyInvariant } from './invariants.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const bankModule: Module = {
  name: 'bank',
  store: 'bank',
  consensusVersion: 4n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  migrations: new Map(),
  invariants: [supplyInvariant],
};
