/** Rewards of validators and delegators, and the community pool (cosmos-sdk v0.53 `x/distribution`). */
import { file_cosmos_distribution_v1beta1_tx } from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { beginBlock } from './allocation.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { invariants } from './invariants.js';
import { DISTRIBUTION, STORE } from './keys.js';
import { messages } from './messages.js';
import { queries } from './queries.js';

export const distributionModule: Module = {
  name: DISTRIBUTION,
  store: STORE,
  consensusVersion: 3n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  types: [file_cosmos_distribution_v1beta1_tx],
  beginBlock,
  invariants,
};
