/** Staking: validators, and the tokens bonded to them (cosmos-sdk v0.53 `x/staking`). */
import type { Module } from '../../sdk/module/module.js';
import { cancelUnbonding } from './cancel-unbonding.js';
import { createValidator } from './create-validator.js';
import { delegationMessages } from './delegation-messages.js';
import { editValidator } from './edit-validator.js';
import { endBlock } from './end-block.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { trackHistoricalInfo } from './historical-info.js';
import { invariants } from './invariants.js';
import { STORE } from './keys.js';
import { queries } from './queries.js';
import { updateParams } from './update-params.js';
import { file_cosmos_staking_v1beta1_tx } from '../../proto/cosmos/staking/v1beta1/tx_pb.js';

export const stakingModule: Module = {
  name: 'staking',
  store: STORE,
  consensusVersion: 5n,
  initGenesis,
  exportGenesis,
  messages: [createValidator, editValidator, ...delegationMessages, cancelUnbonding, updateParams],
  queries,
  types: [file_cosmos_staking_v1beta1_tx],
  beginBlock: trackHistoricalInfo,
  endBlock,
  invariants,
};
