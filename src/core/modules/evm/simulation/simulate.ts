/** `eth_simulateV1`: blocks of calls on the state of `context` (geth v1.17 `internal/ethapi/simulate.go`). */
import { DEC_ONE } from '../../../sdk/coins/dec.js';
import type { Context } from '../../../sdk/module/context.js';
import {
  planSimulation,
  type PlannedBlock,
  type RefusedSimulation,
  refusedSimulation,
  type SimulatedBlock,
  type SimulatedBlocks,
  type Simulation,
} from '../../../ethereum/simulation.js';
import type { EvmBlock } from '../../../evm/transaction.js';
import type { EvmOverride } from '../../../evm/state.js';
import { FIXED_LIMITS } from '../../../limits/limits.js';
import { baseFeeAfter } from '../../feemarket/base-fee.js';
import { getBlockGas, getParams as getFeeMarketParams } from '../../feemarket/params.js';
import { evmBlock } from '../block.js';
import { getBlockHashes } from '../block-hashes.js';
import { movesOf, refuseMoves } from '../overrides.js';
import { evmState } from '../state.js';
import { finishBlock, finishCall, type FinishedCall, payWithdrawals } from './simulated-block.js';
import { simulateCall } from './simulated-call.js';
import { SimulatedContracts } from './simulated-contracts.js';
import { SimulatedState } from './simulated-state.js';
import { enterBlock, surroundingsOf } from './surroundings.js';
import { runSystemCalls } from './system-calls.js';

/** Parent of a simulated block. */
interface Parent {
  readonly hash: Uint8Array;
  readonly evm: EvmBlock;
  /** Gas used, as the fee market counts it. */
  readonly gasUsed: bigint;
}

/** Data that all blocks of a simulation share. */
interface Run {
  readonly context: Context;
  readonly simulation: Simulation;
  readonly state: SimulatedState;
  readonly contracts: SimulatedContracts;
  /** Gas left for all further calls together. */
  budget: bigint;
}

/**
 * Executes a simulation without persistent effects. Yields after each call, so that the caller may stop between
 * calls.
 */
export function* simulate(context: Context, simulation: Simulation): Generator<undefined, SimulatedBlocks> {
  const { evm } = context;
  if (evm === undefined) return refusedSimulation('plain', 'this process has no EVM');
  const { txGasCap: _, ...base } = evmBlock(context);
  const plan = planSimulation(base, simulation.blocks);
  if (plan.kind === 'refused') return plan;
  const state = new SimulatedState(evmState(context), context.crypto);
  const contracts = new SimulatedContracts(context, state);
  const run: Run = { context, simulation, state, contracts, budget: FIXED_LIMITS.callGas };
  const blocks: SimulatedBlock[] = [];
  let parent: Parent = {
    hash: getBlockHashes(context)?.ethereum ?? context.block.hash,
    evm: base,
    gasUsed: getBlockGas(context),
  };
  evm.clear();
  try {
    for (const planned of plan.blocks) {
      const made = yield* simulateBlock(run, parent, planned);
      if (made.kind !== 'made') return made;
      blocks.push(made.block);
      parent = made.next;
    }
  } finally {
    evm.clear();
  }
  return { kind: 'blocks', blocks };
}

type MadeBlock =
  | { readonly kind: 'made'; readonly block: SimulatedBlock; readonly next: Parent }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

function* simulateBlock(run: Run, parent: Parent, planned: PlannedBlock): Generator<undefined, MadeBlock> {
  const { context, simulation, state, contracts } = run;
  const { crypto } = context;
  const block = blockOf(run, parent, planned);
  const wrong = refuseMoves(crypto, block.fork, planned.accounts);
  if (wrong !== undefined) return refusedSimulation('plain', wrong);
  const moves = movesOf(block.fork, contracts.addresses, planned.accounts);
  const begun = beginBlock(run, parent, planned, block, moves);
  if (begun.kind !== 'begun') return begun;
  yield undefined;
  const entered = enterBlock(context, block, contracts);
  if (entered.kind === 'refused') return entered;
  const { engine } = entered;
  const surroundings = surroundingsOf(context, block, {
    engine,
    state,
    contracts,
    moves,
    validation: simulation.validation,
    traceTransfers: simulation.traceTransfers,
  });
  const finished: FinishedCall[] = [];
  let gasUsed = 0n;
  let logs = 0;
  for (const [index, call] of planned.calls.entries()) {
    const remaining = block.gasLimit - gasUsed;
    const gasLimit = call.gas ?? remaining;
    if (remaining < gasLimit)
      return refusedSimulation(
        'block-gas-limit',
        `block gas limit reached: remaining: ${remaining}, required: ${gasLimit}`,
      );
    const gas = gasLimit < run.budget ? gasLimit : run.budget;
    const executed = simulateCall(surroundings, call, gas);
    if (executed.kind !== 'executed') return executed;
    const place = { index, firstLog: logs, gasBefore: gasUsed, baseFee: block.baseFee, isCapped: gas < gasLimit };
    const one = finishCall(crypto, executed, place);
    finished.push(one);
    gasUsed += one.result.gasUsed;
    run.budget -= one.result.gasUsed;
    logs += one.result.logs.length;
    yield undefined;
  }
  for (const address of payWithdrawals(state, planned.block)) engine.forget(address);
  const made = finishBlock(crypto, parent.hash, block, planned.block, finished);
  return {
    kind: 'made',
    block: made,
    next: { hash: made.block.hash, evm: withoutBlobFee(block, parent.evm), gasUsed },
  };
}

/** Removes a blob base fee override, which applies to one block only. */
function withoutBlobFee(made: EvmBlock, { blobBaseFee }: EvmBlock): EvmBlock {
  const { blobBaseFee: _, ...block } = made;
  return blobBaseFee === undefined ? block : { ...block, blobBaseFee };
}

/** Stores the parent hash, applies account overrides and makes the system calls. */
function beginBlock(
  run: Run,
  parent: Parent,
  { accounts, block: { beaconRoot = new Uint8Array(32) } }: PlannedBlock,
  block: EvmBlock,
  moves: readonly EvmOverride[],
): RefusedSimulation | { readonly kind: 'begun' } | { readonly kind: 'timeout' } {
  const { context, state, contracts } = run;
  state.setBlockHash(parent.evm.number, parent.hash);
  for (const account of accounts) {
    state.override(account);
    context.evm?.forget(account.address);
  }
  // System calls need no permission.
  const { permissions: _, ...open } = block;
  const entered = enterBlock(context, open, contracts);
  if (entered.kind === 'refused') return entered;
  const { engine } = entered;
  const surroundings = { engine, state, contracts, fork: block.fork, moves };
  return { kind: runSystemCalls(surroundings, { beaconRoot, parentHash: parent.hash }) };
}

/**
 * Block environment. Coinbase and gas limit are the parent's; the base fee follows from the parent only with
 * validation. PREVRANDAO is zero (geth v1.17 `internal/ethapi/simulate.go`).
 */
function blockOf({ context, simulation }: Run, parent: Parent, { block }: PlannedBlock): EvmBlock {
  const { beaconRoot: _, withdrawals: __, ...edits } = block;
  return {
    ...parent.evm,
    prevRandao: new Uint8Array(32),
    baseFee: simulation.validation ? feeAfter(context, parent) : 0n,
    ...edits,
  };
}

function feeAfter(context: Context, { evm, gasUsed }: Parent): bigint {
  const params = getFeeMarketParams(context);
  if (params.noBaseFee) return 0n;
  return baseFeeAfter(context, { ...params, baseFee: evm.baseFee * DEC_ONE }, gasUsed, evm.gasLimit) / DEC_ONE;
}
