import type { Context } from '../../sdk/module/context.js';
import { BlockScope } from '../../sdk/module/block-scope.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { decodeTransaction } from '../../ethereum/transaction-codec.js';
import { recoverSender, toEvmTransaction } from '../../ethereum/transaction-sender.js';
import type { EvmTransaction } from '../../evm/transaction.js';
import type { QueryTraceTxRequest } from '../../proto/cosmos/evm/vm/v1/query_pb.js';
import { evmBlock } from './block.js';
import { precompileCalls } from './precompiles/active.js';
import { applyEdit } from './precompiles/overridden.js';
import { evmState } from './state.js';
import { traceOptions } from './trace-options.js';
import { tracedBy } from './tracers.js';
import { FIXED_LIMITS } from '../../limits/limits.js';

/**
 * Traces raw transactions in order after their predecessors, on the state of `context`, with Ethereum's fee rules;
 * uses the request's block if given. Returns JSON; no persistent effects.
 */
export function traceMessages(
  context: Context,
  predecessors: readonly Uint8Array[],
  traced: readonly Uint8Array[],
  request: Pick<QueryTraceTxRequest, 'traceConfig' | 'blockNumber' | 'blockTime' | 'blockMaxGas'>,
): readonly string[] {
  if (traced.length === 0) return [];
  if (predecessors.length + traced.length > FIXED_LIMITS.tracedTransactions)
    throw grpcError('InvalidArgument', `too many transactions, limit ${FIXED_LIMITS.tracedTransactions}`);
  if ((request.blockTime?.seconds ?? 0n) < 0n) throw grpcError('InvalidArgument', 'invalid block time');
  const { evm } = context;
  if (evm === undefined) throw grpcError('Unimplemented', 'this process has no EVM');
  const block = evmBlock(context);
  const scope = new BlockScope(context.block.hash, context.block.proposer, context.gas);
  const edited = {
    ...block,
    ...(request.blockNumber > 0n ? { number: request.blockNumber } : {}),
    ...(request.blockTime === undefined ? {} : { timestamp: request.blockTime.seconds }),
    ...(request.blockMaxGas > 0n ? { gasLimit: request.blockMaxGas } : {}),
  };
  const state = evmState(context);
  const options = traceOptions(request.traceConfig);
  const execute = (transaction: EvmTransaction): void => {
    const calls = precompileCalls(context);
    const outcome = evm.enter(scope, () => edited, calls).transact(state, transaction, { fees: 'engine' });
    if (outcome.kind === 'refused' || calls === undefined) return;
    for (const change of calls.settle(outcome.changes)) applyEdit(context, change);
  };
  try {
    for (const raw of predecessors) execute(signedBy(context, raw));
    return traced.map((raw) => {
      const transaction = signedBy(context, raw);
      const engine = evm.enter(scope, () => edited, precompileCalls(context));
      const result = tracedBy(options, undefined, () =>
        engine.trace(state, transaction, { fees: 'engine' }, [], options),
      );
      if (!result.ok) throw grpcError('Internal', result.message);
      execute(transaction);
      return result.json;
    });
  } finally {
    evm.clear();
  }
}

function signedBy(context: Context, raw: Uint8Array): EvmTransaction {
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw grpcError('InvalidArgument', decoded.message);
  const sender = recoverSender(context.crypto, decoded.transaction, context.chain.evmChainId);
  if (!sender.ok) throw grpcError('InvalidArgument', sender.message);
  return toEvmTransaction(context.crypto, decoded.transaction, sender.sender);
}
