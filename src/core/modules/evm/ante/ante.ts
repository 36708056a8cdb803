import { abciEvent } from '../../../sdk/module/abci-event.js';
import { beforeMeter, type AnteRule } from '../../../sdk/module/ante.js';
import { coin, formatCoins } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import { checkTransaction } from '../../../ethereum/check-transaction.js';
import { ensureModuleAccount, FEE_COLLECTOR, setAccount, withBase } from '../../auth/accounts.js';
import { blockGasLimit, countGasWanted } from '../../feemarket/base-fee.js';
import { getBaseFee } from '../../feemarket/params.js';
import { ensureAccountOf } from '../accounts.js';
import { moveCoins } from '../coins.js';
import { brokenRule, hasRulesOfGeth } from '../refusals.js';
import { spendableBalanceOf } from '../balance.js';
import { evmCoin } from '../../../sdk/coins/evm-coin.js';
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
import { requireValid } from './rules-of-evmd.js';
import { keepSpent, spentOf } from './waiting.js';
import { onlyMessage, requireNothingMore, requireShape, requireStatedFee } from './wrapping.js';

const shape = beforeMeter('ethereum', requireShape);

/**
 * The ante rules of Ethereum transactions in the order of cosmos/evm v0.6 (`ante/evm/mono_decorator.go`): checks the
 * transaction, takes its fee and its nonce. With geth's rules the nonce is compared before the balance, as in geth's
 * pool, and more is refused (`docs/decisions/0009-ethereum-transactions.md`). `verified`: the signature was verified
 * before. `context.store` is unmetered.
 */
export const runEthereumAnte: AnteRule = beforeMeter('nothing', (context, tx, verified) => {
  const asGeth = hasRulesOfGeth(context);
  shape(context, tx, verified);
  const message = onlyMessage(tx);
  const { transaction, from } = message;
  if (asGeth) {
    requireNothingMore(tx, message);
    const broken = checkTransaction(transaction, blockGasLimit(context));
    if (broken !== undefined) throw brokenRule(context, broken);
  } else requireValid(context, message, verified);
  const baseFee = getBaseFee(context);
  requireAdmittedPrice(context, transaction);
  requireMinimumPrice(context, transaction, baseFee);
  requireAccess(context, transaction);
  requireSender(context, message, verified);

  const account = ensureAccountOf(context, from);
  const { sequence } = account.base;
  requireNoCode(context, from, transaction);
  if (asGeth) requireNonce(context, sequence, transaction);
  const balance = spendableBalanceOf(context, account, from);
  requireFunds(context, balance, transaction);
  requireFeeCap(context, transaction, baseFee);
  const fee = feeOf(transaction, baseFee);
  if (context.mode === 'check') {
    requireNonce(context, sequence, transaction);
    keepSpent(context, from, account, {
      balance: balance - spentOf(context, transaction, baseFee),
      sequence: sequence + 1n,
    });
  } else {
    payFee(context, from, fee);
    requireNonce(context, sequence, transaction);
    setAccount(context, from, withBase(account, { sequence: sequence + 1n }));
  }

  requireBlockGas(context, tx.authInfo.fee?.gasLimit ?? 0n);
  if (context.mode !== 'check') {
    context.events.push(
      abciEvent('ethereum_tx', [
        ['ethereumTxHash', message.hash(context.crypto)],
        ['txIndex', context.block.tally.ethereumTransactions.toString()],
      ]),
    );
  }
  requireStatedFee(context, tx, transaction);
  countGasWanted(context, tx);
});

function payFee(context: Context, from: Uint8Array, fee: bigint): void {
  moveCoins(context, from, ensureModuleAccount(context, FEE_COLLECTOR), fee);
  context.events.push(abciEvent('tx', [['fee', fee === 0n ? '' : formatCoins([coin(evmCoin(context).denom, fee)])]]));
}
