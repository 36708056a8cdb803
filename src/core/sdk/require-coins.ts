/** The coins of messages (cosmos-sdk v0.53 `types/coin.go` Coins.Validate, Coins.IsAllPositive). */
import type { Coin } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import type { AppVersion } from './app-version.js';
import { faultOfCoins, formatCoins } from './coins.js';
import { NIL_POINTER, RecoveredPanic, SdkError, sdkErrors } from './sdk-error.js';

interface Versioned {
  readonly version: Pick<AppVersion, 'quirks'>;
}

/**
 * True for valid coins, and for none. Where the preset has it, a coin without an amount ends in a nil pointer, unless
 * an earlier coin is not valid for another reason.
 */
export function checkCoins({ version }: Versioned, coins: readonly Coin[]): boolean {
  const fault = faultOfCoins(coins);
  if (fault === 'absent amount') panicWithoutAmount(version);
  return fault === undefined;
}

/** SDK error 10 for coins that are not valid. */
export function requireValidCoins(context: Versioned, coins: readonly Coin[]): void {
  if (!checkCoins(context, coins)) throw new SdkError(sdkErrors.invalidCoins, formatCoins(coins));
}

/** As `requireValidCoins`, and there must be some. */
export function requireSomeCoins(context: Versioned, coins: readonly Coin[]): void {
  if (!checkCoins(context, coins) || coins.length === 0) throw new SdkError(sdkErrors.invalidCoins, formatCoins(coins));
}

/** A nil pointer of Go, where the preset has it. */
export function panicWithoutAmount({ quirks }: Versioned['version']): void {
  if (quirks.absentAmountsPanic) throw new RecoveredPanic(NIL_POINTER);
}
