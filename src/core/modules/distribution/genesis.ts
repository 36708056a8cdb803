/** Genesis of distribution (cosmos-sdk v0.53 `x/distribution/keeper/genesis.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import { EMPTY } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/genesis_pb.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import {
  addDecCoins,
  decCoinMessages,
  decCoinsOfMessages,
  truncateDecCoins,
  type DecCoins,
} from '../../sdk/coins/dec-coins.js';
import { addressAt, GenesisError } from '../../sdk/module/genesis-section.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import type { StateEntry } from '../../state/state.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { allBalances } from '../bank/balances.js';
import { accountText, consensusText, operatorText } from '../staking/addresses.js';
import { setPreviousProposer } from './allocation.js';
import { getCommunityPool, setCommunityPool } from './community-pool.js';
import {
  startingInfos,
  startingInfoOfMessage,
  setStartingInfo,
  setWithdrawAddress,
  startingInfoMessage,
} from './delegators.js';
import * as keys from './keys.js';
import { DEFAULT_PARAMS, getParams, paramsMessage, paramsOfMessage, paramsProblem, setParams } from './params.js';
import * as records from './records.js';
import { allSlashEvents, setSlashEvent, slashEventMessage } from './slash-events.js';

const PATH = 'app_state.distribution';

/** Requires that the module account holds the coins that the section records. */
export function initGenesis(context: Context, section: unknown): void {
  const state = readDecimalSection(PATH, pb.GenesisStateSchema, section ?? {});
  const params = state.params ?? paramsMessage(DEFAULT_PARAMS);
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  const pool = decCoinsOfMessages(state.feePool?.communityPool ?? []);
  setCommunityPool(context, pool);
  setParams(context, paramsOfMessage(params));
  const { bech32Prefix } = context.chain;
  const accountAt = (list: string, index: number, address: string): Uint8Array =>
    addressAt(`${PATH}.${list}[${index}]`, bech32Prefix, address);
  const operatorAt = (list: string, index: number, address: string): Uint8Array =>
    addressAt(`${PATH}.${list}[${index}]`, `${bech32Prefix}valoper`, address);

  state.delegatorWithdrawInfos.forEach(({ delegatorAddress, withdrawAddress }, index) =>
    setWithdrawAddress(
      context,
      accountAt('delegator_withdraw_infos', index, delegatorAddress),
      accountAt('delegator_withdraw_infos', index, withdrawAddress),
    ),
  );
  const proposer = state.previousProposer;
  setPreviousProposer(
    context,
    proposer === '' ? EMPTY : addressAt(`${PATH}.previous_proposer`, `${bech32Prefix}valcons`, proposer),
  );
  let owed: DecCoins = pool;
  state.outstandingRewards.forEach(({ validatorAddress, outstandingRewards }, index) => {
    const rewards = decCoinsOfMessages(outstandingRewards);
    records.setOutstanding(context, operatorAt('outstanding_rewards', index, validatorAddress), rewards);
    owed = addDecCoins(owed, rewards);
  });
  state.validatorAccumulatedCommissions.forEach(({ validatorAddress, accumulated }, index) =>
    records.setCommission(
      context,
      operatorAt('validator_accumulated_commissions', index, validatorAddress),
      decCoinsOfMessages(accumulated?.commission ?? []),
    ),
  );
  state.validatorHistoricalRewards.forEach(({ validatorAddress, period, rewards }, index) =>
    records.setHistorical(context, operatorAt('validator_historical_rewards', index, validatorAddress), period, {
      ratio: decCoinsOfMessages(rewards?.cumulativeRewardRatio ?? []),
      references: rewards?.referenceCount ?? 0,
    }),
  );
  state.validatorCurrentRewards.forEach(({ validatorAddress, rewards }, index) =>
    records.setCurrent(context, operatorAt('validator_current_rewards', index, validatorAddress), {
      rewards: decCoinsOfMessages(rewards?.rewards ?? []),
      period: rewards?.period ?? 0n,
    }),
  );
  state.delegatorStartingInfos.forEach(({ delegatorAddress, validatorAddress, startingInfo }, index) =>
    setStartingInfo(
      context,
      operatorAt('delegator_starting_infos', index, validatorAddress),
      accountAt('delegator_starting_infos', index, delegatorAddress),
      startingInfoOfMessage(startingInfo),
    ),
  );
  state.validatorSlashEvents.forEach(({ validatorAddress, height, period, validatorSlashEvent }, index) =>
    setSlashEvent(context, {
      operator: operatorAt('validator_slash_events', index, validatorAddress),
      height,
      period,
      fraction: BigInt(validatorSlashEvent?.fraction ?? 0),
    }),
  );
  const balances = formatCoins(allBalances(context, ensureModuleAccount(context, keys.DISTRIBUTION)));
  const expected = formatCoins(truncateDecCoins(owed).whole);
  if (balances !== expected)
    throw new GenesisError(
      PATH,
      `distribution module balance does not match the module holdings: ${balances} <-> ${expected}`,
    );
}

/** Exports all records of the module, each kind in key order. */
export function exportGenesis(context: Context): unknown {
  const rows = <Row>(prefix: Uint8Array, row: (entry: StateEntry) => Row): Row[] =>
    Array.from(context.store.range(keys.STORE, prefixRange(prefix)), row);
  const operatorIn = ({ key }: StateEntry): string => operatorText(context, keys.splitAddress(key).address);
  const proposer = fromBinary(BytesValueSchema, context.store.get(keys.STORE, keys.PROPOSER_KEY) ?? EMPTY).value;
  return writeDecimalSection(pb.GenesisStateSchema, {
    params: paramsMessage(getParams(context)),
    feePool: { communityPool: decCoinMessages(getCommunityPool(context)) },
    delegatorWithdrawInfos: rows(keys.WITHDRAW_ADDRESS_PREFIX, ({ key, value }) => ({
      delegatorAddress: accountText(context, keys.addressOf(key)),
      withdrawAddress: accountText(context, value),
    })),
    previousProposer: proposer.length === 0 ? '' : consensusText(context, proposer),
    outstandingRewards: rows(keys.OUTSTANDING_PREFIX, (entry) => ({
      validatorAddress: operatorIn(entry),
      outstandingRewards: decCoinMessages(records.outstanding.decode(context, entry.key, entry.value)),
    })),
    validatorAccumulatedCommissions: rows(keys.COMMISSION_PREFIX, (entry) => ({
      validatorAddress: operatorIn(entry),
      accumulated: { commission: decCoinMessages(records.accumulated.decode(context, entry.key, entry.value)) },
    })),
    validatorHistoricalRewards: rows(keys.HISTORICAL_PREFIX, (entry) => ({
      validatorAddress: operatorIn(entry),
      period: keys.periodOf(entry.key),
      rewards: records.historicalMessage(records.historical.decode(context, entry.key, entry.value)),
    })),
    validatorCurrentRewards: rows(keys.CURRENT_PREFIX, (entry) => ({
      validatorAddress: operatorIn(entry),
      rewards: records.currentMessage(records.current.decode(context, entry.key, entry.value)),
    })),
    delegatorStartingInfos: rows(keys.STARTING_INFO_PREFIX, (entry) => ({
      validatorAddress: operatorIn(entry),
      delegatorAddress: accountText(context, keys.splitAddress(entry.key).rest.subarray(1)),
      startingInfo: startingInfoMessage(startingInfos.decode(context, entry.key, entry.value)),
    })),
    validatorSlashEvents: Array.from(allSlashEvents(context), (event) => ({
      validatorAddress: operatorText(context, event.operator),
      height: event.height,
      period: event.period,
      validatorSlashEvent: slashEventMessage(event),
    })),
  });
}
