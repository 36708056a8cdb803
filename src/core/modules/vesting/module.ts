/** Accounts whose coins become spendable over time (cosmos-sdk v0.53 `x/auth/vesting`); auth's store holds them. */
import { file_cosmos_vesting_v1beta1_tx } from '../../proto/cosmos/vesting/v1beta1/tx_pb.js';
import { file_cosmos_vesting_v1beta1_vesting } from '../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import type { Module } from '../../sdk/module.js';
import { messages } from './messages.js';

export const vestingModule: Module = {
  name: 'vesting',
  consensusVersion: 1n,
  initGenesis: () => undefined,
  exportGenesis: () => ({}),
  messages,
  queries: [],
  types: [file_cosmos_vesting_v1beta1_tx, file_cosmos_vesting_v1beta1_vesting],
  migrations: new Map(),
  invariants: [],
};
