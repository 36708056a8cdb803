/** The EVM's native coin in wei, on top of bank balances. */
import { equal } from '../../bytes/bytes.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { getAccount, type Account } from '../auth/accounts.js';
import { getBalance, setBalance } from '../bank/balances.js';
import { lockedOf, spendableOf } from '../bank/spendable.js';
import { sendAmount } from '../bank/transfer.js';

const MODULE = 'evm';

/** Rules of native balances, in wei. */
export interface CoinRules {
  /** True when a bank coin may be more than one wei. */
  readonly hasFractions: boolean;
  /** Moves a positive amount between two accounts. Throws SdkError. */
  readonly move: (context: Context, from: Uint8Array, to: Uint8Array, amount: bigint) => void;
  /** Spendable wei of an account; `account` was read before. */
  readonly spendable: (context: Context, account: Account | undefined, address: Uint8Array) => bigint;
  /** Sets the spendable balance without events. */
  readonly setSpendable: (context: Context, account: Account | undefined, address: Uint8Array, wei: bigint) => void;
  /** Adds to the balance without events. */
  readonly add: (context: Context, address: Uint8Array, wei: bigint) => void;
}

/** Default: one bank coin is one wei. */
export const coinRules = new RuleSet<CoinRules>({
  hasFractions: false,
  move: (context, from, to, amount) => sendAmount(context, from, to, { denom: evmCoin(context).denom, amount }),
  spendable: (context, account, address) => spendableOf(context, account, address, evmCoin(context).denom),
  setSpendable: (context, account, address, wei) => {
    const { denom } = evmCoin(context);
    setBalance(context, address, denom, wei + lockedOf(context, account, denom));
  },
  add: (context, address, wei) => {
    const { denom } = evmCoin(context);
    setBalance(context, address, denom, getBalance(context, address, denom) + wei);
  },
});

/** Moves wei between accounts; does nothing for zero, or between an account and itself. */
export function moveCoins(context: Context, from: Uint8Array, to: Uint8Array, amount: bigint): void {
  if (amount !== 0n && !equal(from, to)) coinRules.of(context).move(context, from, to, amount);
}

/** Spendable wei of an account that was read before. */
export function spendableBalanceOf(context: Context, account: Account | undefined, address: Uint8Array): bigint {
  return coinRules.of(context).spendable(context, account, address);
}

/** Spendable wei of an account. */
export function spendableBalance(context: Context, address: Uint8Array): bigint {
  return spendableBalanceOf(context, getAccount(context, address), address);
}

/** Address of the module account. */
export function evmModuleAddress(context: Context): Uint8Array {
  return moduleAddress(context.crypto, MODULE);
}
