import type { Metadata } from '../../../proto/cosmos/bank/v1beta1/bank_pb.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { DEC_LIMIT, DEC_ONE, formatDec, mulDec, quoDec } from '../../coins/dec.js';
import { RecoveredPanic } from '../../module/sdk-error.js';
import { decimalUnits, integerText, NoTextualForm, pointedText } from './numbers.js';

/** Metadata of a denom, where the chain has it. Throws NoTextualForm for a denom that cannot be. */
export type CoinMetadata = (denom: string) => Metadata | undefined;

/** The largest power of ten whose decimal the SDK can hold. */
const MAX_EXPONENT = 77;
/** The panic of the SDK's decimals. */
const overflow = (): RecoveredPanic => new RecoveredPanic('Int overflow');

/**
 * Coins in their display denoms, sorted by these (cosmos-sdk v0.53 `x/tx/signing/textual/coins.go`). Throws
 * NoTextualForm, and RecoveredPanic for metadata with exponents that no decimal can hold.
 */
export function coinsText(coins: readonly Pick<Coin, 'denom' | 'amount'>[], metadata: CoinMetadata): string {
  if (coins.length === 0) return 'zero';
  // the state pays for its reading, so all metadata are read before a coin is refused
  const known = coins.map(({ denom }) => metadata(denom));
  const shown = coins.map((coin, index) => coinText(coin, known[index]));
  const comma = shown.find((text) => text.includes(','));
  if (comma !== undefined) throw new NoTextualForm(`coin ${comma} contains a comma`);
  const denomOf = (text: string): string => text.split(' ')[1] ?? '';
  const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  return shown.toSorted((left, right) => compare(denomOf(left), denomOf(right))).join(', ');
}

function coinText({ denom, amount }: Pick<Coin, 'denom' | 'amount'>, metadata: Metadata | undefined): string {
  const display = metadata?.display ?? '';
  if (display === '' || display === denom) return `${pointedText(amount)} ${denom}`;
  // of units with the same denom, the last counts
  const exponentOf = (name: string): number | undefined =>
    metadata?.denomUnits.findLast((unit) => unit.denom === name)?.exponent;
  const [own, shown] = [exponentOf(denom), exponentOf(display)];
  if (own === undefined || shown === undefined) return `${integerText(amount)} ${denom}`;
  const units = decimalUnits(amount);
  if (Math.abs(own - shown) > MAX_EXPONENT) throw overflow();
  const factor = 10n ** BigInt(Math.abs(own - shown)) * DEC_ONE;
  const value = own > shown ? mulDec(units, factor) : quoDec(units, factor);
  if (value > DEC_LIMIT || value < -DEC_LIMIT) throw overflow();
  return `${pointedText(formatDec(value))} ${display}`;
}
