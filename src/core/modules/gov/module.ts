/** Governance (SDK v0.53 `x/gov`): proposals, deposits, votes, and execution of passed proposals. */
import { file_cosmos_distribution_v1beta1_distribution } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { file_cosmos_gov_v1_tx } from '../../proto/cosmos/gov/v1/tx_pb.js';
import { file_cosmos_gov_v1beta1_gov } from '../../proto/cosmos/gov/v1beta1/gov_pb.js';
import { file_cosmos_gov_v1beta1_tx } from '../../proto/cosmos/gov/v1beta1/tx_pb.js';
import { file_cosmos_upgrade_v1beta1_upgrade } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import type { Invariant, Module } from '../../sdk/module/module.js';
import { endBlock } from './end-block.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { STORE } from './keys.js';
import { messages } from './messages.js';
import { messagesV1beta1 } from './messages-v1beta1.js';
import { queries } from './queries.js';
import { queriesV1beta1 } from './queries-v1beta1.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { formatCoins, sumCoins } from '../../sdk/coins/coins.js';
import { getBalance } from '../bank/balances.js';
import { GOV, depositsFor } from './deposits.js';

/** Gov's account holds all deposits (cosmos-sdk v0.50 `x/gov/keeper/invariants.go`). */
const moduleAccountInvariant: Invariant = {
  name: 'gov/module-account',
  check: (context) => {
    const deposits = sumCoins(depositsFor(context).flatMap(({ deposit }) => deposit.amount));
    const account = moduleAddress(context.crypto, GOV);
    const short = deposits.filter(({ denom, amount }) => getBalance(context, account, denom) < BigInt(amount));
    return short.length === 0 ? undefined : `gov's account holds less than the deposits of ${formatCoins(short)}`;
  },
};

export const govModule: Module = {
  name: 'gov',
  store: STORE,
  consensusVersion: 5n,
  initGenesis,
  exportGenesis,
  messages: [...messages, ...messagesV1beta1],
  queries: [...queries, ...queriesV1beta1],
  types: [
    file_cosmos_distribution_v1beta1_distribution,
    file_cosmos_gov_v1_tx,
    file_cosmos_gov_v1beta1_gov,
    file_cosmos_gov_v1beta1_tx,
    file_cosmos_upgrade_v1beta1_upgrade,
  ],
  endBlock,
  invariants: [moduleAccountInvariant],
};
