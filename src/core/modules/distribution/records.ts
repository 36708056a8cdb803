/**
 * Rewards of validators: of the running period, of ended ones, owed in all, and commission (cosmos-sdk v0.53
 * `x/distribution/keeper/store.go`). What the state does not hold is empty.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { addressKey } from '../../bytes/address-key.js';
import { EMPTY } from '../../bytes/bytes.js';
import { MessageWriter } from '../../bytes/message-writer.js';
import { prefixRange } from '../../bytes/key-order.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { decCoinMessages, decCoinsOfMessages, type DecCoins } from '../../sdk/coins/dec-coins.js';
import { keepDecoded } from '../../state/decode-once.js';
import {
  COMMISSION_PREFIX,
  CURRENT_PREFIX,
  historicalKey,
  HISTORICAL_PREFIX,
  OUTSTANDING_PREFIX,
  STORE,
} from './keys.js';

type Stored = Pick<Context, 'store'>;

/** Empty between two values. */
const writer = new MessageWriter();

/**
 * A message with coins as its field 1, as all records of coins have them; later fields are written already. The
 * generated codec makes the same bytes at a higher cost, and each block writes three records for each validator.
 */
export function encodeCoins(coins: DecCoins): Uint8Array {
  for (let index = coins.length - 1; index >= 0; index -= 1) {
    const one = coins[index];
    if (one === undefined) continue;
    const before = writer.length;
    writer.text(2, one.amount.toString());
    writer.text(1, one.denom);
    writer.close(1, before);
  }
  return writer.finish();
}

/** Rewards of the running period. */
export interface CurrentRewards {
  readonly rewards: DecCoins;
  readonly period: bigint;
}

/** The end of a period. */
export interface HistoricalRewards {
  /** Rewards of one token since the first period. */
  readonly ratio: DecCoins;
  /** Delegations and slashes that start here, and the running period. */
  readonly references: number;
}

/** Converts to the message of the SDK. */
export function currentMessage({ rewards, period }: CurrentRewards): pb.ValidatorCurrentRewards {
  return {
    $typeName: 'cosmos.distribution.v1beta1.ValidatorCurrentRewards',
    rewards: decCoinMessages(rewards),
    period,
  };
}

const current = keepDecoded<CurrentRewards>({
  encode({ rewards, period }) {
    writer.number(2, period);
    return encodeCoins(rewards);
  },
  decode(value) {
    const { rewards, period } = fromBinary(pb.ValidatorCurrentRewardsSchema, value);
    return { rewards: decCoinsOfMessages(rewards), period };
  },
});
export const decodeCurrent = current.decode;

/** Reads the running period of a validator; period 0 without rewards for an unknown one. */
export function getCurrent({ store }: Stored, operator: Uint8Array): CurrentRewards {
  const key = addressKey(CURRENT_PREFIX, operator);
  return decodeCurrent(key, store.get(STORE, key) ?? EMPTY);
}

/** Stores the running period of a validator. */
export function setCurrent({ store }: Stored, operator: Uint8Array, rewards: CurrentRewards): void {
  const key = addressKey(CURRENT_PREFIX, operator);
  store.set(STORE, key, current.encode(key, rewards));
}

/** Converts to the message of the SDK. */
export function historicalMessage({ ratio, references }: HistoricalRewards): pb.ValidatorHistoricalRewards {
  return {
    $typeName: 'cosmos.distribution.v1beta1.ValidatorHistoricalRewards',
    cumulativeRewardRatio: decCoinMessages(ratio),
    referenceCount: references,
  };
}

const historical = keepDecoded<HistoricalRewards>({
  encode({ ratio, references }) {
    writer.number(2, references);
    return encodeCoins(ratio);
  },
  decode(value) {
    const { cumulativeRewardRatio, referenceCount } = fromBinary(pb.ValidatorHistoricalRewardsSchema, value);
    return { ratio: decCoinsOfMessages(cumulativeRewardRatio), references: referenceCount };
  },
});
export const decodeHistorical = historical.decode;

/** Reads the end of a period; no rewards and no references for an unknown one. */
export function getHistorical({ store }: Stored, operator: Uint8Array, period: bigint): HistoricalRewards {
  const key = historicalKey(operator, period);
  return decodeHistorical(key, store.get(STORE, key) ?? EMPTY);
}

/** Replaces what the state holds of a period, which is deleted where `change` answers nothing. */
export function changeHistorical(
  { store }: Stored,
  operator: Uint8Array,
  period: bigint,
  change: (before: HistoricalRewards) => HistoricalRewards | undefined,
): void {
  const key = historicalKey(operator, period);
  const after = change(decodeHistorical(key, store.get(STORE, key) ?? EMPTY));
  if (after === undefined) store.delete(STORE, key);
  else store.set(STORE, key, historical.encode(key, after));
}

/** Stores the end of a period. */
export function setHistorical(
  { store }: Stored,
  operator: Uint8Array,
  period: bigint,
  rewards: HistoricalRewards,
): void {
  const key = historicalKey(operator, period);
  store.set(STORE, key, historical.encode(key, rewards));
}

/** Deletes every ended period of a validator. */
export function deleteAllHistorical({ store }: Stored, operator: Uint8Array): void {
  for (const { key } of [...store.range(STORE, prefixRange(addressKey(HISTORICAL_PREFIX, operator)))])
    store.delete(STORE, key);
}

const outstanding = keepDecoded<DecCoins>({
  encode: encodeCoins,
  decode: (value) => decCoinsOfMessages(fromBinary(pb.ValidatorOutstandingRewardsSchema, value).rewards),
});
export const decodeOutstanding = outstanding.decode;

/** Rewards and commission that the module account holds for a validator and its delegators. */
export function getOutstanding({ store }: Stored, operator: Uint8Array): DecCoins {
  const key = addressKey(OUTSTANDING_PREFIX, operator);
  return decodeOutstanding(key, store.get(STORE, key) ?? EMPTY);
}

/** Stores the rewards and commission that the module account holds for a validator and its delegators. */
export function setOutstanding({ store }: Stored, operator: Uint8Array, rewards: DecCoins): void {
  const key = addressKey(OUTSTANDING_PREFIX, operator);
  store.set(STORE, key, outstanding.encode(key, rewards));
}

const accumulated = keepDecoded<DecCoins>({
  encode: encodeCoins,
  decode: (value) => decCoinsOfMessages(fromBinary(pb.ValidatorAccumulatedCommissionSchema, value).commission),
});
export const decodeCommission = accumulated.decode;

/** Commission that a validator did not withdraw yet. */
export function getCommission({ store }: Stored, operator: Uint8Array): DecCoins {
  const key = addressKey(COMMISSION_PREFIX, operator);
  return decodeCommission(key, store.get(STORE, key) ?? EMPTY);
}

/** Stores the commission that a validator has not withdrawn. */
export function setCommission({ store }: Stored, operator: Uint8Array, commission: DecCoins): void {
  const key = addressKey(COMMISSION_PREFIX, operator);
  store.set(STORE, key, accumulated.encode(key, commission));
}
