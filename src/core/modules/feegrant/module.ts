/** Fee grants: one account pays another's fees (cosmossdk.io/x/feegrant v0.2.0). */
import { CHAIN_LIMITS } from '../../limits/limits.js';
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { deleteExpired } from './grants.js';
import { STORE } from './keys.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const feegrantModule: Module = {
  name: 'feegrant',
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  endBlock: (context) => deleteExpired(context, CHAIN_LIMITS.feegrantsPrunedByBlock),
};
