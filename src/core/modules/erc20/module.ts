/** Coins as tokens and tokens as coins (cosmos/evm v0.6 `x/erc20`): its state at genesis. */
import type { Module } from '../../sdk/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { STORE } from './store.js';

export const erc20Module: Module = {
  name: 'erc20',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries: [],
  migrations: new Map(),
  invariants: [],
};
