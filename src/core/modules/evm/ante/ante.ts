import { abciEvent } from '../../../sdk/module/abci-event.js';
import type { AnteRule } from '../../../sdk/module/ante.js';
import { coin, formatCoins } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import type { Tx } from '../../../sdk/module/tx.js';
import { checkTransaction } from '../../../ethereum/check-transaction.js';
import { ensureModuleAccount, FEE_COLLECTOR, setAccount, withBase, type Account } from '../../auth/accounts.js';
import { blockGasLimit, countGasWanted } from '../../feemarket/base-fee.js';
import { getBaseFee } from '../../feemarket/params.js';
import { ensureAccountOf } from '../accounts.js';
import { moveCoins, spendableBalanceOf } from '../coins.js';
import type { EthereumMessage } from '../ethereum-message.js';
import { evmCoin } from '../../../sdk/coins/evm-coin.js';
import { ruleError } from './refusals.js';
import {
  feeOf,
  requireAccess,
  requireAdmittedPrice,
  requireBlockGas,
  requireFeeCap,
  requireFunds,
  requireMinimumPrice,
  requireNoCode,
  requireNonce,
  requireSender,
} from './rules.js';
import { storeSpent, spentOf } from './pending.js';
import {
  onlyMessage,
  requireNoExtraBytes,
  requireOneFee,
  requireSignedPartsOnly,
  requireStatedFee,
} from './wrapping.js';

/**
 * Ante rules of Ethereum transactions: validates, deducts the fee and increments the nonce. Checks the nonce before
 * the balance, as in geth's pool (`docs/decisions/0009-ethereum-transactions.md`). `verified`: the signature is
 * verified already. `context.store` must be unmetered.
 */
export const runEthereumAnte: AnteRule = (context, tx, verified) => {
  requireSignedPartsOnly(context, tx);
  const message = onlyMessage(tx);
  const { transaction, from } = message;
  requireNoExtraBytes(tx, message);
  const broken = checkTransaction(transaction, blockGasLimit(context));
  if (broken !== undefined) throw ruleError(broken);
  const baseFee = getBaseFee(context);
  requireAdmittedPrice(context, transaction);
  requireMinimumPrice(context, transaction, baseFee);
  requireAccess(context, transaction);
  requireSender(context, message, verified);
  const account = ensureAccountOf(context, from);
  requireNoCode(context, from, transaction);
  requireNonce(context, account.base.sequence, transaction);
  takeFee(context, tx, message, account, baseFee);
  requireOneFee(tx, transaction);
  requireStatedFee(context, tx, transaction);
  countGasWanted(context, tx);
};

/**
 * Deducts the fee and increments the nonce of the sender, whose account is `account`, and requires enough block gas.
 * In CheckTx only records what the transaction spends.
 */
export function takeFee(context: Context, tx: Tx, message: EthereumMessage, account: Account, baseFee: bigint): void {
  const { transaction, from } = message;
  const { sequence } = account.base;
  const balance = spendableBalanceOf(context, account, from);
  requireFunds(context, balance, transaction);
  requireFeeCap(context, transaction, baseFee);
  if (context.mode === 'check') {
    requireNonce(context, sequence, transaction);
    storeSpent(context, from, account, {
      balance: balance - spentOf(context, transaction, baseFee),
      sequence: sequence + 1n,
    });
  } else {
    payFee(context, from, feeOf(transaction, baseFee));
    requireNonce(context, sequence, transaction);
    setAccount(context, from, withBase(account, { sequence: sequence + 1n }));
  }
  requireBlockGas(context, tx.authInfo.fee?.gasLimit ?? 0n);
  if (context.mode === 'check') return;
  context.events.push(
    abciEvent('ethereum_tx', [
      ['ethereumTxHash', message.hash(context.crypto)],
      ['txIndex', context.block.tally.ethereumTransactions.toString()],
    ]),
  );
}

function payFee(context: Context, from: Uint8Array, fee: bigint): void {
  moveCoins(context, from, ensureModuleAccount(context, FEE_COLLECTOR), fee);
  context.events.push(abciEvent('tx', [['fee', fee === 0n ? '' : formatCoins([coin(evmCoin(context).denom, fee)])]]));
}
