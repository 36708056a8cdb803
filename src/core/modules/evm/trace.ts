import type { Context } from '../../app/context.js';
import type { Tx } from '../../app/tx.js';
import type { EvmTrace } from '../../evm/engine.js';
import { toEvmTransaction } from '../../ethereum/transaction-sender.js';
import { runEthereumAnte } from './ante.js';
import { evmBlock } from './block.js';
import { readEthereumMessage } from './ethereum-message.js';
import { evmState } from './state.js';

/** geth-shaped JSON of an Ethereum transaction's execution after its ante rules, over the unmetered store of `context`; nothing is kept. */
export function traceEthereumTx(context: Context, tx: Tx, options: string): EvmTrace {
  const [message] = tx.handlers;
  if (message === undefined || context.evm === undefined) return { ok: false, message: 'transaction not found' };
  runEthereumAnte(context, tx, true);
  const { transaction, from } = readEthereumMessage(message.value);
  const engine = context.evm.enter(context.block, () => evmBlock(context));
  context.evm.forget(from);
  return engine.trace(evmState(context), toEvmTransaction(context.crypto, transaction, from), { fees: 'host' }, [], options);
}
