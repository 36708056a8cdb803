import type { Context } from '../../sdk/module/context.js';
import type { Tx } from '../../sdk/module/tx.js';
import type { EvmTrace } from '../../evm/outcome.js';
import { toEvmTransaction, transactionHash } from '../../ethereum/transaction-sender.js';
import { isUnsignedBy } from '../../ethereum/unsigned.js';
import { CacheStore } from '../../state/overlay.js';
import { ethereumAnte } from './ante/chain.js';
import { evmBlock } from './block.js';
import { readEthereumMessage } from './ethereum-message.js';
import { precompileCalls } from './precompiles/active.js';
import { evmState } from './state.js';
import { tracedBy } from './tracers.js';

/**
 * Traces an Ethereum transaction on the unmetered store of `context`; returns geth-shaped JSON, without persistent
 * effects. Runs the ante rules and reverts them: the engine charges fee and nonce itself, so that tracers see the
 * sender as it was before.
 */
export function traceEthereumTx(context: Context, tx: Tx, options: string): EvmTrace {
  const [message] = tx.handlers;
  const { evm, block } = context;
  if (message === undefined || evm === undefined) return { ok: false, message: 'transaction not found' };
  const { tally } = block;
  try {
    ethereumAnte.of(context).run({ ...context, store: new CacheStore(context.store), events: [] }, tx, true);
  } finally {
    block.tally = tally;
  }
  const { transaction, from } = readEthereumMessage(message.value);
  const engine = evm.enter(block, () => evmBlock(context), precompileCalls(context));
  const place = {
    blockHash: block.hash,
    hash: transactionHash(context.crypto, transaction),
    index: tally.ethereumTransactions,
  };
  const evmTransaction = toEvmTransaction(context.crypto, transaction, from);
  const fees = isUnsignedBy(transaction, from) ? 'nonce' : 'engine';
  return tracedBy(options, place, () => engine.trace(evmState(context), evmTransaction, { fees }, [], options));
}
