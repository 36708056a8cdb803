/** Checks of the invariants of all modules (cosmos-sdk v0.53 `x/crisis`). */
import { file_cosmos_crisis_v1beta1_tx } from '../../proto/cosmos/crisis/v1beta1/tx_pb.js';
import type { Module } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis, STORE } from './constant-fee.js';
import { messages } from './messages.js';
import type { Context } from '../../sdk/module/context.js';
import { assertInvariants } from '../../sdk/module/invariants.js';

/**
 * Checks all invariants after each block whose height is a multiple of the node's period (`--inv-check-period`); a
 * broken one stops the node (cosmos-sdk v0.53 `x/crisis/abci.go`, `keeper/keeper.go` AssertInvariants).
 */
export function endBlock(context: Context): void {
  const { invariantPeriod = 0n } = context.chain;
  if (invariantPeriod === 0n || context.height % invariantPeriod !== 0n) return;
  assertInvariants(context);
}

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
