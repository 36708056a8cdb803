/**
 * Sequences of calls, each executed on the state that its predecessors left: `eth_callMany`, `eth_callBundle`,
 * `trace_callMany` and `trace_rawTransaction`.
 */
import type { EvmOverride } from '../evm/state.js';
import type { EvmTrace } from '../evm/outcome.js';
import { ETHEREUM_LIMITS } from '../limits/limits.js';
import type { EthereumBlockOverrides, EthereumCall } from './call.js';
import { refusedSimulation, type RefusedSimulation } from './simulation.js';

export interface CallSequence {
  /** Account overrides before the first call. */
  readonly accounts: readonly EvmOverride[];
  /**
   * The first block is the one whose state is used; each later block has the next number and is one second later.
   * Block overrides stay in force for later blocks.
   */
  readonly blocks: readonly {
    readonly block: EthereumBlockOverrides;
    readonly calls: readonly TracedCall[];
  }[];
  /**
   * True: nonces, fees and balances are checked as for transactions, and calls pay fees. False: the price may be
   * zero.
   */
  readonly validation: boolean;
}

export interface TracedCall extends EthereumCall {
  /** Options of the tracers for this call, as JSON texts. */
  readonly tracers: readonly string[];
}

/** Result and effects of one call. */
export interface SequencedCall {
  readonly from: Uint8Array;
  readonly gasUsed: bigint;
  /** Priority fee per gas that the proposer receives, wei. */
  readonly tip: bigint;
  readonly outcome:
    | { readonly kind: 'success' | 'revert'; readonly output: Uint8Array }
    | { readonly kind: 'halt'; readonly message: string };
  /** Balance of the coinbase after the call, wei. */
  readonly coinbaseBalance: bigint;
}

/** Results of a sequence since its last step. */
export type SequenceStep =
  | { readonly kind: 'trace'; readonly trace: EvmTrace }
  | { readonly kind: 'call'; readonly call: SequencedCall };

/** Executed blocks of a sequence with their calls, before traces are added. */
export type SequencedCalls =
  | {
      readonly kind: 'done';
      readonly blocks: readonly (readonly SequencedCall[])[];
      /** Balance of the first block's coinbase before the first call, wei. */
      readonly coinbaseBefore: bigint;
    }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** Traces of all tracers of all calls, in order. */
export type CallSequenceResult =
  | (Extract<SequencedCalls, { readonly kind: 'done' }> & { readonly traces: readonly EvmTrace[] })
  | Exclude<SequencedCalls, { readonly kind: 'done' }>;

/** Refuses more blocks than a simulation may have, and more calls in total than one of its blocks may have. */
export function refuseLongSequence({ blocks }: Pick<CallSequence, 'blocks'>): RefusedSimulation | undefined {
  const { simulatedBlocks, simulatedCallsOfBlock } = ETHEREUM_LIMITS;
  if (blocks.length > simulatedBlocks)
    return refusedSimulation('invalid-params', `limit simulatedBlocks (${simulatedBlocks}) exceeded`);
  const calls = blocks.reduce((sum, block) => sum + block.calls.length, 0);
  return calls > simulatedCallsOfBlock
    ? refusedSimulation('invalid-params', `limit simulatedCallsOfBlock (${simulatedCallsOfBlock}) exceeded`)
    : undefined;
}
