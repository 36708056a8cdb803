/** Module vesting with evmos' clawback accounts in addition to the SDK's (evmos v3.0.0 `x/vesting`). */
import { file_evmos_vesting_v1_tx } from '../../proto/evmos/vesting/v1/tx_pb.js';
import { file_evmos_vesting_v1_vesting } from '../../proto/evmos/vesting/v1/vesting_pb.js';
import * as pb from '../../proto/evmos/vesting/v1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { query, type Invariant, type Module } from '../../sdk/module/module.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { prefixRange } from '../../bytes/key-order.js';
import { ACCOUNT_PREFIX, addressOfKey, getAccount, STORE } from '../auth/accounts.js';
import { stepAmount, unvestedAmount } from '../auth/vesting/schedule.js';
import { getBalance } from '../bank/balances.js';
import { amountOf } from '../../sdk/coins/coins.js';
import { requireQueriedAddress } from '../queried-address.js';
import { clawbackAccountOf, clawbackMessages, coinsBy } from './clawback.js';
import { vestingModule } from './module.js';

function addressOf({ chain }: Context, text: string): Uint8Array {
  try {
    return requireQueriedAddress(chain.bech32Prefix, text);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('InvalidArgument', error.message) : error;
  }
}

const balances = query(pb.Query, 'balances', (context, { address: shown }) => {
  const address = addressOf(context, shown);
  if (getAccount(context, address) === undefined) throw grpcError('NotFound', `account for address '${shown}'`);
  const account = clawbackAccountOf(context, address);
  if (account === undefined)
    throw grpcError('InvalidArgument', `account at address '${shown}' is not a vesting account `);
  const { lockup, vesting } = account.schedule;
  const { time } = context;
  const unlocked = (denom: string): bigint => stepAmount(account, lockup, denom, time);
  return {
    locked: [...coinsBy(account, (denom) => amountOf(account.originalVesting, denom) - unlocked(denom))],
    unvested: [...coinsBy(account, (denom) => unvestedAmount(account, denom, time))],
    vested: [...coinsBy(account, (denom) => stepAmount(account, vesting, denom, time))],
  };
});

/** Every clawback account holds at least its unvested coins. */
const unvestedInBalance: Invariant = {
  name: 'vesting/unvested',
  check(context) {
    for (const { key } of context.store.range(STORE, prefixRange(ACCOUNT_PREFIX))) {
      const address = addressOfKey(key);
      const account = address && clawbackAccountOf(context, address);
      if (address === undefined || account === undefined) continue;
      for (const { denom } of account.originalVesting) {
        const [unvested, balance] = [unvestedAmount(account, denom, context.time), getBalance(context, address, denom)];
        if (balance < unvested)
          return `account ${account.base.address} holds ${balance}${denom}, ${unvested} of it have not vested`;
      }
    }
    return undefined;
  },
};

export const vestingWithClawback: Module = {
  ...vestingModule,
  messages: [...vestingModule.messages, ...clawbackMessages],
  queries: [...vestingModule.queries, balances],
  types: [file_evmos_vesting_v1_tx, file_evmos_vesting_v1_vesting],
  invariants: [unvestedInBalance],
};
