/** Authorizations to execute messages on behalf of other accounts (cosmos-sdk v0.53 `x/authz`). */
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { deleteExpired } from './grants.js';
import { STORE } from './keys.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const authzModule: Module = {
  name: 'authz',
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  beginBlock: deleteExpired,
};
