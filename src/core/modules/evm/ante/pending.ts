/** Amounts that pending Ethereum transactions spend. */
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

/** Rules for pending Ethereum transactions. */
export interface PendingRules {
  /** Wei that a transaction with this `fee` makes unavailable to its successors. */
  readonly spent: (transaction: EthereumTransaction, fee: bigint) => bigint;
  /** Throws SdkError for a transaction that may not wait for a lower base fee. */
  readonly requirePrice: (context: Context, transaction: EthereumTransaction, baseFee: bigint) => void;
}

/**
 * By default the value counts as spent, as in geth's pool: otherwise a sender could fill a block with failing
 * transactions that pay nothing, by one transfer of its whole balance. A transaction stays pending while the base fee
 * exceeds its fee cap.
 */
export const pendingRules = new RuleSet<PendingRules>({
  spent: (transaction, fee) => fee + transaction.value,
  requirePrice: () => {},
});

/**
 * Rechecks pending transactions of one sender in nonce order after a block, and records what passing ones spend. All
 * passed `runEthereumAnte` before. Checks only rules that a block can invalidate, on one read of the account, so that
 * many pending transactions are cheap.
 */
export function recheckEthereumAnte(
  context: Context,
  from: Uint8Array,
  transactions: readonly EthereumTransaction[],
): readonly boolean[] {
  const baseFee = getBaseFee(context);
  const { requirePrice } = pendingRules.of(context);
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
  if (passed.includes(true)) storeSpent(context, from, ensureAccountOf(context, from), { balance, sequence });
  return passed;
}

/** Returns to the sender what the check of a transaction deducted, before its replacement is checked. */
export function restoreSpent(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  coinRules.of(context).add(context, from, spentOf(context, transaction, getBaseFee(context)));
}

/** Wei that a pending transaction makes unavailable to its successors. */
export function spentOf(context: Context, transaction: EthereumTransaction, baseFee: bigint): bigint {
  return pendingRules.of(context).spent(transaction, feeOf(transaction, baseFee));
}

/** Stores spendable balance and nonce after a check; fees and events are for blocks. */
export function storeSpent(
  context: Context,
  from: Uint8Array,
  account: Account,
  { balance, sequence }: { readonly balance: bigint; readonly sequence: bigint },
): void {
  coinRules.of(context).setSpendable(context, account, from, balance);
  replaceAccount(context, from, withBase(account, { sequence }));
}
