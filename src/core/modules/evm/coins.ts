/** Moves of the EVM's coin, with the events that the application version's bank keeper emits for them. */
import { equal } from '../../bytes/bytes.js';
import { encodeAddress, moduleAddress } from '../../sdk/address.js';
import { abciEvent } from '../../sdk/abci-event.js';
import { coin } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import { ensureModuleAccount, getAccount } from '../auth/accounts.js';
import { getBalance, getSupply, setBalance, setSupply } from '../bank/balances.js';
import { isBlocked } from '../bank/send-rules.js';
import { lockedOf } from '../bank/spendable.js';
import { burnCoins, mintCoins } from '../bank/supply.js';
import { sendAmount } from '../bank/transfer.js';
import { evmDenom } from './store.js';

const MODULE = 'evm';

/**
 * Moves wei between accounts; nothing happens for zero, nor between an account and itself (cosmos/evm v0.6
 * `x/precisebank/keeper/send.go`).
 */
export function moveCoins(context: Context, from: Uint8Array, to: Uint8Array, amount: bigint): void {
  if (amount === 0n || equal(from, to)) return;
  sendAmount(context, from, to, { denom: evmDenom(context), amount });
  fractional(context, from);
  fractional(context, to);
}

/**
 * Sets the balance that the EVM computed. evmd burns or mints the difference through its module account; the chronicle
 * preset writes the balance and emits the difference as spent or received. Returns the difference of the supply, for
 * `settleSupply`.
 */
export function settleBalance(context: Context, address: Uint8Array, balance: bigint): bigint {
  const denom = evmDenom(context);
  const before = getBalance(context, address, denom);
  const spendable = before - lockedOf(context, getAccount(context, address), denom);
  const change = balance - (spendable > 0n ? spendable : 0n);
  if (change === 0n) return 0n;
  if (context.version.quirks.evmMintsAndBurns) {
    const module = ensureModuleAccount(context, MODULE);
    if (change > 0n) {
      if (isBlocked(context, address))
        throw new SdkError(
          sdkErrors.unauthorized,
          `failed to set account: ${encodeAddress(context.chain.bech32Prefix, address)} is not allowed to receive funds`,
        );
      mintCoins(context, MODULE, [coin(denom, change)]);
      fractional(context, module);
      moveCoins(context, module, address, change);
    } else {
      moveCoins(context, address, module, -change);
      burnCoins(context, MODULE, [coin(denom, -change)]);
      fractional(context, module);
    }
    return 0n;
  }
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

/** evmd's precisebank emits this after every move, even when no fractional amount moved. */
function fractional(context: Context, address: Uint8Array): void {
  if (!context.version.quirks.fractionalBalanceEvents) return;
  context.events.push(
    abciEvent('fractional_balance_change', [
      ['address', encodeAddress(context.chain.bech32Prefix, address)],
      ['delta', '0'],
    ]),
  );
}

/** Address of the module account that mints and burns. */
export function evmModuleAddress(context: Context): Uint8Array {
  return moduleAddress(context.crypto, MODULE);
}
