/** What Ethereum transactions that wait in the mempool take from their sender. */
import type { Context } from '../../../sdk/context.js';
import { SdkError } from '../../../sdk/sdk-error.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { getAccount, replaceAccount, withBase, type Account } from '../../auth/accounts.js';
import { getBalance, setBalance } from '../../bank/balances.js';
import { getBaseFee } from '../../feemarket/params.js';
import { ensureAccountOf } from '../accounts.js';
import { hasRulesOfGeth } from '../refusals.js';
import { evmDenom } from '../store.js';
import {
  feeOf,
  requireAccess,
  requireBlockGas,
  requireFeeCap,
  requireFunds,
  requireMinimumPrice,
  requireNoCode,
  requireNonce,
} from './rules.js';

/**
 * Which transactions of one sender, in order of their nonces, pass again after a block, and what those that do leave to the
 * next check. All passed `runEthereumAnte` before: here are the rules that a block can turn against them, over one reading
 * of the account, so that many that wait cost little.
 */
export function recheckEthereumAnte(
  context: Context,
  from: Uint8Array,
  transactions: readonly EthereumTransaction[],
): readonly boolean[] {
  const baseFee = getBaseFee(context);
  let sequence = getAccount(context, from)?.base.sequence ?? 0n;
  let balance = getBalance(context, from, evmDenom(context));
  const passes = (transaction: EthereumTransaction): boolean => {
    try {
      requireMinimumPrice(context, transaction, baseFee);
      requireAccess(context, transaction);
      requireNoCode(context, from);
      requireNonce(context, sequence, transaction);
      requireFunds(context, balance, transaction);
      requireFeeCap(context, transaction, baseFee);
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

/** Gives back to its sender what the check of a transaction took, for the check of one that takes its place. */
export function forgetSpent(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  const denom = evmDenom(context);
  setBalance(
    context,
    from,
    denom,
    getBalance(context, from, denom) + spentOf(context, transaction, getBaseFee(context)),
  );
}

/**
 * What a transaction that waits takes from the one behind it. Its value counts, as in geth's pool: else one transfer of
 * everything let a sender fill a block with others that fail there and pay nothing. evmd counts its fee alone.
 */
export function spentOf(context: Context, transaction: EthereumTransaction, baseFee: bigint): bigint {
  return feeOf(transaction, baseFee) + (hasRulesOfGeth(context) ? transaction.value : 0n);
}

/** What a check leaves of a sender. Who gets the fee, and what events tell of it, is asked of blocks alone. */
export function keepSpent(
  context: Context,
  from: Uint8Array,
  account: Account,
  { balance, sequence }: { readonly balance: bigint; readonly sequence: bigint },
): void {
  setBalance(context, from, evmDenom(context), balance);
  replaceAccount(context, from, withBase(account, { sequence }));
}
