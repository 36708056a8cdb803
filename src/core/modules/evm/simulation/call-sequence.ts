import type {
  CallSequence,
  SequencedCall,
  SequencedCalls,
  SequenceStep,
  TracedCall,
} from '../../../ethereum/call-sequence.js';
import { refusedSimulation } from '../../../ethereum/simulation.js';
import { toEvmTransaction } from '../../../ethereum/transaction-sender.js';
import type { EvmBlock } from '../../../evm/transaction.js';
import type { EvmTrace } from '../../../evm/outcome.js';
import { FIXED_LIMITS } from '../../../limits/limits.js';
import type { Context } from '../../../sdk/module/context.js';
import { RecoveredPanic } from '../../../sdk/module/sdk-error.js';
import { evmBlock } from '../block.js';
import { movesOf, refuseMoves } from '../overrides.js';
import { evmState } from '../state.js';
import { tracedBy } from '../tracers.js';
import { vmErrorOf } from '../vm-error.js';
import { executeCall, prepareCall, priceOf, type ExecutedCall, type PreparedCall } from './simulated-call.js';
import { SimulatedContracts } from './simulated-contracts.js';
import { SimulatedState } from './simulated-state.js';
import { type CallSurroundings, enterBlock, surroundingsOf } from './surroundings.js';

/**
 * Executes a sequence of calls without persistent effects. Yields each trace and each call, so that the caller may
 * stop there.
 */
export function* sequenceCalls(
  context: Context,
  { accounts, blocks, validation }: CallSequence,
): Generator<SequenceStep, SequencedCalls> {
  const { evm, crypto } = context;
  if (evm === undefined) return refusedSimulation('plain', 'this process has no EVM');
  const { txGasCap: _, ...base } = evmBlock(context);
  const wrong = refuseMoves(crypto, base.fork, accounts);
  if (wrong !== undefined) return refusedSimulation('plain', wrong);
  const state = new SimulatedState(evmState(context), crypto);
  const contracts = new SimulatedContracts(context, state);
  for (const account of accounts) state.override(account);
  const results: (readonly SequencedCall[])[] = [];
  let coinbaseBefore: bigint | undefined;
  let budget = FIXED_LIMITS.callGas;
  let block: EvmBlock = base;
  evm.clear();
  try {
    for (const [index, { block: overrides, calls }] of blocks.entries()) {
      const { number, timestamp } = block;
      block = { ...block, ...(index > 0 && { number: number + 1n, timestamp: timestamp + 1n }), ...overrides };
      coinbaseBefore ??= state.find(block.coinbase).balance;
      const entered = enterBlock(context, block, contracts);
      if (entered.kind === 'refused') return entered;
      const at = surroundingsOf(context, block, {
        engine: entered.engine,
        state,
        contracts,
        moves: movesOf(block.fork, contracts.addresses, accounts),
        validation,
        traceTransfers: false,
      });
      const done: SequencedCall[] = [];
      for (const call of calls) {
        // As in `eth_call`, the block's gas limit does not apply.
        const gas = call.gas === undefined || call.gas > budget ? budget : call.gas;
        const prepared = prepareCall(at, call, gas);
        if (prepared.kind !== 'prepared') return prepared;
        for (const trace of traces(at, call, prepared)) yield { kind: 'trace', trace };
        const executed = executeCall(at, prepared);
        if (executed.kind !== 'executed') return executed;
        const result = resultOf(at, executed);
        done.push(result);
        budget -= executed.result.gasUsed;
        yield { kind: 'call', call: result };
      }
      results.push(done);
    }
  } finally {
    evm.clear();
  }
  return { kind: 'done', blocks: results, coinbaseBefore: coinbaseBefore ?? 0n };
}

/** Traces validated calls; the engine charges their fees, so that tracers see the sender as it was before. */
function* traces(
  { crypto, engine, state, contracts, moves, validation }: CallSurroundings,
  { tracers }: TracedCall,
  { transaction, from, freed }: PreparedCall,
): Generator<EvmTrace> {
  const [traced, fees] = validation
    ? ([toEvmTransaction(crypto, transaction, from), 'engine'] as const)
    : ([freed, 'nonce'] as const);
  for (const options of tracers) {
    contracts.begin();
    try {
      yield tracedBy(options, undefined, () => engine.trace(state, traced, { fees }, moves, options));
    } catch (error) {
      if (!(error instanceof RecoveredPanic)) throw error;
      yield { ok: false, message: error.reason };
    }
  }
}

function resultOf({ state, baseFee, coinbase }: CallSurroundings, executed: ExecutedCall): SequencedCall {
  const { result, halted, from, transaction } = executed;
  const { status, output, gasUsed } = result;
  const price = priceOf(transaction, baseFee);
  return {
    from,
    gasUsed,
    tip: price === 0n ? 0n : price - baseFee,
    outcome: status === 'halt' ? { kind: 'halt', message: vmErrorOf(result, halted) } : { kind: status, output },
    coinbaseBalance: state.find(coinbase).balance,
  };
}
