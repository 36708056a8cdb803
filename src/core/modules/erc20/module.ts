/** Coins as tokens and tokens as coins (cosmos/evm v0.6 `x/erc20`). */
import { file_cosmos_evm_erc20_v1_tx } from '../../proto/cosmos/evm/erc20/v1/tx_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { messages } from './messages.js';
import { queries } from './queries.js';
import { STORE } from './store.js';

export const erc20Module: Module = {
  name: 'erc20',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  types: [file_cosmos_evm_erc20_v1_tx],
};
