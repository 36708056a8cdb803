/** The EVM's coin, which it counts in wei, over the balances of bank. */
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

/** Rules of the balances, in wei. */
export interface CoinRules {
  /** True where a coin of bank may be more than one wei. */
  readonly hasFractions: boolean;
  /** Moves a positive amount between two accounts. Throws SdkError. */
  readonly move: (context: Context, from: Uint8Array, to: Uint8Array, amount: bigint) => void;
  /** The wei that an account may spend; `account` is the account as it was read before. */
  readonly spendable: (context: Context, account: Account | undefined, address: Uint8Array) => bigint;
  /** Writes what an account may spend, without events. */
  readonly setSpendable: (context: Context, account: Account | undefined, address: Uint8Array, wei: bigint) => void;
  /** Gives an amount to an account, without events. */
  readonly add: (context: Context, address: Uint8Array, wei: bigint) => void;
}

/** One coin of bank is one wei. */
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

/** Moves wei between accounts; nothing happens for zero, nor between an account and itself. */
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

/** Address of the module's account. */
export function evmModuleAddress(context: Context): Uint8Array {
  return moduleAddress(context.crypto, MODULE);
}
