/** Checks of the invariants of all modules (cosmos-sdk v0.53 `x/crisis`). */
import { file_cosmos_crisis_v1beta1_tx } from '../../proto/cosmos/crisis/v1beta1/tx_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis, STORE } from './constant-fee.js';
import { endBlock } from './end-block.js';
import { messages } from './messages.js';

export const crisisModule: Module = {
  name: 'crisis',
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis,
  messages,
  queries: [],
  endBlock,
  types: [file_cosmos_crisis_v1beta1_tx],
};
