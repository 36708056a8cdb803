/** The amounts that waiting Ethereum transactions take from their sender. */
import type { Context } from '../../../sdk/module/context.js';
import { RuleSet } from '../../../sdk/module/rule-set.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { getAccount, replaceAccount, withBase, type Account } from '../../auth/accounts.js';
import { getBaseFee } from '../../feemarket/params.js';
import { ensureAccountOf } from '../accounts.js';
import { coinRules, spendableBalanceOf } from '../coins.js';
import {
  feeOf,
  requireAccess,
  requireBlockGas,
  requireFunds,
  requireMinimumPrice,
  requireNoCode,
  requireNonce,
} from './rules.js';

/** Rules of Ethereum transactions that wait. */
export interface WaitingRules {
  /** The wei that a transaction takes from its successor when its fee is `fee`. */
  readonly spent: (transaction: EthereumTransaction, fee: bigint) => bigint;
  /** Throws SdkError for a transaction that does not wait for another base fee. */
  readonly requirePrice: (context: Context, transaction: EthereumTransaction, baseFee: bigint) => void;
}

/**
 * The value counts, as in geth's pool: otherwise, with one transfer of everything, a sender could fill a block with
 * transactions that fail there and pay nothing. A transaction stays when the base fee rises above its price, and goes
 * into a block when the base fee has fallen again.
 */
export const waitingRules = new RuleSet<WaitingRules>({
  spent: (transaction, fee) => fee + transaction.value,
  requirePrice: () => {},
});

/**
 * Checks again, after a block, the waiting transactions of one sender in order of their nonces, and keeps the amounts
 * that those which pass take. All of them passed `runEthereumAnte` before. Only rules that a block can break are
 * checked, over one reading of the account, so that many waiting transactions cost little.
 */
export function recheckEthereumAnte(
  context: Context,
  from: Uint8Array,
  transactions: readonly EthereumTransaction[],
): readonly boolean[] {
  const baseFee = getBaseFee(context);
  const { requirePrice } = waitingRules.of(context);
  const account = getAccount(context, from);
  let sequence = account?.base.sequence ?? 0n;
  let balance = spendableBalanceOf(context, account, from);
  const passes = (transaction: EthereumTransaction): boolean => {
    try {
      requireMinimumPrice(context, transaction, baseFee);
      requireAccess(context, transaction);
      requireNoCode(context, from, transaction);
      requireNonce(context, sequence, transaction);
      requireFunds(context, balance, transaction);
      requirePrice(context, transaction, baseFee);
      requireBlockGas(context, transaction.gasLimit);
      return true;
    } catch (error) {
      if (error instanceof SdkError) return false;
      throw error;
    }
  };
  const passed = transactions.map((transaction) => {
    if (!passes(transaction)) return false;
    balance -= spentOf(context, transaction, baseFee);
    sequence += 1n;
    return true;
  });
  if (passed.includes(true)) keepSpent(context, from, ensureAccountOf(context, from), { balance, sequence });
  return passed;
}

/** Returns to the sender the amount that the check of a transaction took, for the check of its replacement. */
export function forgetSpent(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  coinRules.of(context).add(context, from, spentOf(context, transaction, getBaseFee(context)));
}

/** The amount that a waiting transaction takes from its successor, wei. */
export function spentOf(context: Context, transaction: EthereumTransaction, baseFee: bigint): bigint {
  return waitingRules.of(context).spent(transaction, feeOf(transaction, baseFee));
}

/** Stores spendable balance and nonce after a check; fees and events are for blocks. */
export function keepSpent(
  context: Context,
  from: Uint8Array,
  account: Account,
  { balance, sequence }: { readonly balance: bigint; readonly sequence: bigint },
): void {
  coinRules.of(context).setSpendable(context, account, from, balance);
  replaceAccount(context, from, withBase(account, { sequence }));
}
