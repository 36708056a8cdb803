/** Community pool, which also collects rounding remainders (cosmos-sdk v0.53 `x/distribution/keeper/fee_pool.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { FeePoolSchema } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { Context } from '../../sdk/module/context.js';
import {
  addDecCoins,
  decCoinsOf,
  decCoinsOfMessages,
  safeSubtractDecCoins,
  type DecCoins,
} from '../../sdk/coins/dec-coins.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { Records } from '../../state/records.js';
import { sendFromModule, sendToModule } from '../bank/module-accounts.js';
import { distributionErrors } from './errors.js';
import { DISTRIBUTION, FEE_POOL_KEY, STORE } from './keys.js';
import { encodeCoins } from './records.js';

const records = new Records<DecCoins>(STORE, {
  encode: encodeCoins,
  decode: (value) => decCoinsOfMessages(fromBinary(FeePoolSchema, value).communityPool),
});

/** Reads the pool; empty before its first row. */
export function getCommunityPool(context: Pick<Context, 'store'>): DecCoins {
  return records.get(context, FEE_POOL_KEY) ?? [];
}

/** Stores the pool. */
export function setCommunityPool(context: Context, coins: DecCoins): void {
  records.set(context, FEE_POOL_KEY, coins);
}

/** Adds coins to the pool that the module account already holds. */
export function addToCommunityPool(context: Context, coins: DecCoins): void {
  setCommunityPool(context, addDecCoins(getCommunityPool(context), coins));
}

/** Moves coins of an account into the pool. */
export function fundCommunityPool(context: Context, sender: Uint8Array, coins: readonly Coin[]): void {
  sendToModule(context, sender, DISTRIBUTION, coins);
  addToCommunityPool(context, decCoinsOf(coins));
}

/** Moves coins of the pool to an account; distribution error 9 when it has too few. */
export function spendCommunityPool(context: Context, receiver: Uint8Array, coins: readonly Coin[]): void {
  const left = safeSubtractDecCoins(getCommunityPool(context), decCoinsOf(coins));
  if (left === undefined) throw new SdkError(distributionErrors.badDistribution);
  sendFromModule(context, DISTRIBUTION, receiver, coins);
  setCommunityPool(context, left);
}
