import { MAX_UINT256 } from '../../bigint.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { formatCoins, isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { requireValidCoins } from '../../sdk/coins/require-coins.js';
import { RecoveredPanic, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureAccount, getAccount } from '../auth/accounts.js';
import { getBalance, setBalance } from './balances.js';
import { lowerSupply } from './lower-supply.js';
import { lockedOf } from './spendable.js';

/** An amount of one denom. */
export interface Amount {
  readonly denom: string;
  readonly amount: bigint;
}

/** Subtracts coins from an account; SDK error 5 when a denom is short. Emits coin_spent. */
export function subtractCoins(context: Context, from: Uint8Array, coins: readonly Coin[]): void {
  requireValidCoins(coins);
  take(context, from, coins.map(amountOf), formatCoins(coins));
}

/** Adds coins to an account. Emits coin_received. */
export function addCoins(context: Context, to: Uint8Array, coins: readonly Coin[]): void {
  requireValidCoins(coins);
  give(context, to, coins.map(amountOf), formatCoins(coins));
}

/**
 * Moves coins; creates the receiver's account when it receives for the first time. Events and accesses as in SDK
 * v0.53 `SendCoins`.
 */
export function sendCoins(context: Context, from: Uint8Array, to: Uint8Array, coins: readonly Coin[]): void {
  requireValidCoins(coins);
  move(context, from, to, coins.map(amountOf), formatCoins(coins));
}

/** Moves a positive amount of one denom, like `sendCoins`. */
export function sendAmount(context: Context, from: Uint8Array, to: Uint8Array, { denom, amount }: Amount): void {
  const text = `${amount}${denom}`;
  if (!isValidDenom(denom) || amount <= 0n) throw new SdkError(sdkErrors.invalidCoins, text);
  move(context, from, to, [{ denom, amount }], text);
}

/** Moves amounts; `text` is their form in events. */
function move(context: Context, from: Uint8Array, to: Uint8Array, amounts: readonly Amount[], text: string): void {
  take(context, from, amounts, text);
  give(context, to, amounts, text);
  ensureAccount(context, to);
  const { bech32Prefix } = context.chain;
  const sender = encodeAddress(bech32Prefix, from);
  emitTransfer(context, encodeAddress(bech32Prefix, to), sender, text);
  emit(context, 'message', () => [['sender', sender]]);
}

function take(context: Context, from: Uint8Array, amounts: readonly Amount[], text: string): void {
  const account = getAccount(context, from);
  for (const { denom, amount } of amounts) {
    const balance = getBalance(context, from, denom);
    const locked = lockedOf(context, account, denom);
    if (balance < locked) {
      throw new SdkError(
        sdkErrors.insufficientFunds,
        `locked amount exceeds account balance funds: ${locked}${denom} > ${balance}${denom}`,
      );
    }
    if (balance - locked < amount) {
      throw new SdkError(
        sdkErrors.insufficientFunds,
        `spendable balance ${balance - locked}${denom} is smaller than ${amount}${denom}`,
      );
    }
    setBalance(context, from, denom, balance - amount);
  }
  emit(context, 'coin_spent', () => [
    ['spender', encodeAddress(context.chain.bech32Prefix, from)],
    ['amount', text],
  ]);
}

function give(context: Context, to: Uint8Array, amounts: readonly Amount[], text: string): void {
  for (const { denom, amount } of amounts) {
    const balance = getBalance(context, to, denom) + amount;
    setBalance(context, to, denom, balance <= MAX_UINT256 ? balance : withoutOverflow(context, denom, balance));
  }
  emit(context, 'coin_received', () => [
    ['receiver', encodeAddress(context.chain.bech32Prefix, to)],
    ['amount', text],
  ]);
}

/**
 * Largest balance when a payment would overflow. A transaction fails with the SDK's panic (`Int.Add` of
 * cosmossdk.io/math). Payments by the block itself must not fail, so their excess is burned.
 */
function withoutOverflow(context: Context, denom: string, balance: bigint): bigint {
  if (context.mode !== 'block') throw new RecoveredPanic('integer overflow');
  lowerSupply(context, denom, balance - MAX_UINT256);
  return MAX_UINT256;
}

/** Emits `transfer`; `recipient` and `sender` are bech32, `amount` is the text of the coins. */
export function emitTransfer(context: Context, recipient: string, sender: string, amount: string): void {
  emit(context, 'transfer', () => [
    ['recipient', recipient],
    ['sender', sender],
    ['amount', amount],
  ]);
}

function amountOf({ denom, amount }: Coin): Amount {
  return { denom, amount: BigInt(amount) };
}
