/** Punishment of validators that do not sign (cosmos-sdk v0.53 `x/slashing`). */
import { file_cosmos_slashing_v1beta1_tx } from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { invariants } from './invariants.js';
import { STORE } from './keys.js';
import { beginBlock } from './liveness.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const slashingModule: Module = {
  name: 'slashing',
  store: STORE,
  consensusVersion: 4n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  types: [file_cosmos_slashing_v1beta1_tx],
  beginBlock,
  invariants,
};
