/** Validates coins in messages (cosmos-sdk v0.53 `types/coin.go` Coins.Validate, Coins.IsAllPositive). */
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { areValidCoins, formatCoins } from './coins.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';

/** Throws SDK error 10 for invalid coins. */
export function requireValidCoins(coins: readonly Coin[]): void {
  if (!areValidCoins(coins)) throw new SdkError(sdkErrors.invalidCoins, formatCoins(coins));
}

/** Requires valid coins, at least one; throws SDK error 10. */
export function requirePositiveCoins(coins: readonly Coin[]): void {
  if (!areValidCoins(coins) || coins.length === 0) throw new SdkError(sdkErrors.invalidCoins, formatCoins(coins));
}
