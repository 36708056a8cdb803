/** Balances and supply of all denoms (SDK v0.53 `x/bank`). */
import type { Module } from '../../sdk/module/module.js';
import { addressOfKey, STORE } from './balances.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { invariants } from './invariants.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const bankModule: Module = {
  name: 'bank',
  store: STORE,
  consensusVersion: 4n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  invariants,
  evmAddressOf: addressOfKey,
};
