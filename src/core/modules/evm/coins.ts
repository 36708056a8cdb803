/** Moves of the EVM's coin, with the events that the application version's bank keeper emits for them. */
import { equal } from '../../bytes/bytes.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { ensureModuleAccount, getAccount } from '../auth/accounts.js';
import { getBalance, getSupply, setBalance, setSupply } from '../bank/balances.js';
import { isBlocked } from '../bank/send-rules.js';
import { lockedOf } from '../bank/spendable.js';
import { sendAmount } from '../bank/transfer.js';
import { getFraction } from '../precisebank/fractions.js';
import { burnWei, mintWei, moveWei } from '../precisebank/move.js';
import { evmCoin, evmDenom, type EvmCoin } from '../../sdk/coins/evm-coin.js';

const MODULE = 'evm';

/**
 * Moves wei between accounts; nothing happens for zero, nor between an account and itself (cosmos/evm v0.6
 * `x/precisebank/keeper/send.go`).
 */
export function moveCoins(context: Context, from: Uint8Array, to: Uint8Array, amount: bigint): void {
  if (amount === 0n || equal(from, to)) return;
  const coin = evmCoin(context);
  if (isPrecise(context, coin)) moveWei(context, coin, from, to, amount);
  else sendAmount(context, from, to, { denom: coin.denom, amount });
}

/** Whether precisebank moves the coin: where it has fractions, and always in evmd. */
function isPrecise({ version }: Context, { unit }: EvmCoin): boolean {
  return unit !== 1n || version.quirks.evmMintsAndBurns;
}

/**
 * Sets the balance that the EVM computed. evmd burns or mints the difference through its module account; the chronicle
 * preset writes the balance and emits the difference as spent or received. Returns the difference of the supply, for
 * `settleSupply`.
 */
export function settleBalance(context: Context, address: Uint8Array, balance: bigint): bigint {
  const of = evmCoin(context);
  const { denom, unit } = of;
  const before = getBalance(context, address, denom);
  const free = before - lockedOf(context, getAccount(context, address), denom);
  const spendable = free > 0n ? free : 0n;
  // the peer reads a fraction in any case, which a meter shows
  const hasFraction = unit !== 1n || unmetered(context.store) !== context.store;
  const fraction = hasFraction ? getFraction(context, address) : 0n;
  if (isPrecise(context, of)) {
    settleWei(context, of, address, balance - spendable * unit - fraction);
    return 0n;
  }
  const change = balance - spendable;
  if (change === 0n) return 0n;
  setBalance(context, address, denom, before + change);
  const text = encodeAddress(context.chain.bech32Prefix, address);
  const amount = `${change > 0n ? change : -change}${denom}`;
  context.events.push(
    change > 0n
      ? abciEvent('coin_received', [
          ['receiver', text],
          ['amount', amount],
        ])
      : abciEvent('coin_spent', [
          ['spender', text],
          ['amount', amount],
        ]),
  );
  return change;
}

/** Mints or burns the difference through the module account. */
function settleWei(context: Context, of: EvmCoin, address: Uint8Array, change: bigint): void {
  if (change === 0n) return;
  const module = ensureModuleAccount(context, MODULE);
  if (change > 0n) {
    mintWei(context, of, MODULE, change);
    requireReceiver(context, address);
    moveWei(context, of, module, address, change);
  } else {
    moveWei(context, of, address, module, -change);
    // read for the transfer, for precisebank, and for bank
    ensureModuleAccount(context, MODULE);
    burnWei(context, of, MODULE, -change);
  }
}

function requireReceiver(context: Context, address: Uint8Array): void {
  if (!isBlocked(context, address)) return;
  const name = encodeAddress(context.chain.bech32Prefix, address);
  throw new SdkError(sdkErrors.unauthorized, `failed to set account: ${name} is not allowed to receive funds`);
}

/**
 * Removes from the supply the wei that the EVM destroyed (a contract that sends to itself while it ends). Throws
 * SdkError when the EVM made wei, which it must not.
 */
export function settleSupply(context: Context, change: bigint): void {
  if (change === 0n) return;
  if (change > 0n) throw plainError(`the EVM made ${change} wei out of nothing`);
  const denom = evmDenom(context);
  setSupply(context, denom, getSupply(context, denom) + change);
}

/** Address of the module account that mints and burns. */
export function evmModuleAddress(context: Context): Uint8Array {
  return moduleAddress(context.crypto, MODULE);
}
