import type { Metadata } from '../../../proto/cosmos/bank/v1beta1/bank_pb.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { DEC_LIMIT, DEC_ONE, formatDec, mulDec, quoDec } from '../../coins/dec.js';
import { RecoveredPanic } from '../../module/sdk-error.js';
import { decimalUnits, integerText, NoTextualForm, pointedText } from './numbers.js';

/** Looks up a denom's metadata; undefined when the chain has none. Throws NoTextualForm for an invalid denom. */
export type CoinMetadata = (denom: string) => Metadata | undefined;

/** Largest power of ten that the SDK's decimals can represent. */
const MAX_EXPONENT = 77;
/** Panic of the SDK's decimals. */
const overflow = (): RecoveredPanic => new RecoveredPanic('Int overflow');

/**
 * Formats coins in their display denoms, sorted by them (cosmos-sdk v0.53 `x/tx/signing/textual/coins.go`). Throws
 * NoTextualForm, and RecoveredPanic for metadata with an exponent that no decimal can represent.
 */
export function coinsText(coins: readonly Pick<Coin, 'denom' | 'amount'>[], metadata: CoinMetadata): string {
  if (coins.length === 0) return 'zero';
  // Reading metadata consumes gas, so all are read before a coin is rejected.
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
  // Of units with equal denoms, the last counts.
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
