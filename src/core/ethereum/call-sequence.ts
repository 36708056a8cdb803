/**
 * Calls one after another, each over what those before it changed: `eth_callMany`, `eth_callBundle`, `trace_callMany`
 * and `trace_rawTransaction`.
 */
import type { EvmOverride } from '../evm/state.js';
import type { EvmTrace } from '../evm/outcome.js';
import { ETHEREUM_LIMITS } from '../limits/limits.js';
import type { EthereumBlockOverrides, EthereumCall } from './call.js';
import { refusedSimulation, type RefusedSimulation } from './simulation.js';

export interface CallSequence {
  /** Edits of accounts before the first call. */
  readonly accounts: readonly EvmOverride[];
  /**
   * The first block is the one whose state it is, each other one has the next number and is a second later; what is
   * overridden in a block stays for those that follow.
   */
  readonly blocks: readonly {
    readonly block: EthereumBlockOverrides;
    readonly calls: readonly TracedCall[];
  }[];
  /** Nonces, fees and balances are checked as of transactions, and the calls pay; otherwise the price may be zero. */
  readonly validation: boolean;
}

export interface TracedCall extends EthereumCall {
  /** Options of the tracers that run over the call, as JSON texts. */
  readonly tracers: readonly string[];
}

/** The effects of one call. */
export interface SequencedCall {
  readonly from: Uint8Array;
  readonly gasUsed: bigint;
  /** wei for a unit of gas that the proposer of the block gets. */
  readonly tip: bigint;
  readonly outcome:
    | { readonly kind: 'success' | 'revert'; readonly output: Uint8Array }
    | { readonly kind: 'halt'; readonly message: string };
  /** Balance of the coinbase after the call, wei. */
  readonly coinbaseBalance: bigint;
}

/** The results that an execution of a sequence has made since its last step. */
export type SequenceStep =
  | { readonly kind: 'trace'; readonly trace: EvmTrace }
  | { readonly kind: 'call'; readonly call: SequencedCall };

/** The blocks of a sequence with their calls, before their traces are added. */
export type SequencedCalls =
  | {
      readonly kind: 'done';
      readonly blocks: readonly (readonly SequencedCall[])[];
      /** Balance of the first block's coinbase before the first call, wei. */
      readonly coinbaseBefore: bigint;
    }
  | RefusedSimulation
  | { readonly kind: 'timeout' };

/** The traces are those of all tracers of all calls in their order. */
export type CallSequenceResult =
  | (Extract<SequencedCalls, { readonly kind: 'done' }> & { readonly traces: readonly EvmTrace[] })
  | Exclude<SequencedCalls, { readonly kind: 'done' }>;

/** Refuses more blocks than a simulation may have, and more calls in all than one block of it. */
export function refuseLongSequence({ blocks }: Pick<CallSequence, 'blocks'>): RefusedSimulation | undefined {
  const { simulatedBlocks, simulatedCallsOfBlock } = ETHEREUM_LIMITS;
  if (blocks.length > simulatedBlocks)
    return refusedSimulation('invalid-params', `limit simulatedBlocks (${simulatedBlocks}) exceeded`);
  const calls = blocks.reduce((sum, block) => sum + block.calls.length, 0);
  return calls > simulatedCallsOfBlock
    ? refusedSimulation('invalid-params', `limit simulatedCallsOfBlock (${simulatedCallsOfBlock}) exceeded`)
    : undefined;
}
