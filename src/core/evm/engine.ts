/**
 * The EVM engine as a port: synchronous, deterministic, without state that could change a result
 * (`docs/decisions/0008-evm-engine.md`). Core owns the committed state. An engine owns the journal of the running
 * transaction and a read-through cache; its owner must report changes made elsewhere. Implemented over WebAssembly in
 * `src/runtime/evm`.
 */
import type { EvmAnswer, EvmOutcome, EvmTrace } from './outcome.js';
import type { Precompile } from './precompile-call.js';
import type { EvmOverride, EvmState } from './state.js';
import type { EvmBlock, EvmRules, EvmTransaction } from './transaction.js';

export interface EvmHooks {
  /** Stateful precompiles by lower-case hex address without 0x. */
  readonly precompiles?: ReadonlyMap<string, Precompile>;
  /**
   * Hears of each account that is read. Answers true for one that `precompiles` has since then: the execution begins
   * again with it. Such a trace fails when pieces of it were taken.
   */
  readonly joins?: (address: Uint8Array, codeHash: Uint8Array) => boolean;
  /**
   * Polled every 4,096 steps and at costly precompiles; true ends the execution with halt `Interrupted`. Queries only.
   */
  readonly interrupted?: () => boolean;
  /**
   * Takes a piece of the JSON text of a trace without a named tracer, about 1 MiB of UTF-8, valid during the call; the
   * trace's result is then what follows the last piece. False to receive the whole result at the end.
   */
  readonly tracePiece?: (text: Uint8Array) => boolean;
}

export interface EvmEngine {
  /** Sets the block of the following transactions and calls. Keeps the cache. */
  beginBlock(block: EvmBlock): void;
  /**
   * Executes and keeps the changes in the engine's cache; the caller applies `changes` to its state, or calls `clear`.
   */
  transact(state: EvmState, transaction: EvmTransaction, rules: EvmRules): EvmOutcome;
  /** Executes over temporary edits, without lasting effects. */
  call(state: EvmState, transaction: EvmTransaction, rules: EvmRules, overrides: readonly EvmOverride[]): EvmAnswer;
  /**
   * Executes a call over temporary edits whose `changes` the caller applies. Nothing lasts in the engine; what the
   * chain's contracts did in frames that did not revert lasts with them.
   */
  callWithEffects(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides?: readonly EvmOverride[],
  ): EvmOutcome;
  /**
   * Calls as `call` does, with the geth-shaped JSON text of `debug_trace*` as result; `options` is the tracer's options
   * object as JSON text. The tracer `accessListTracer` gives the result of `eth_createAccessList`.
   */
  trace(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides: readonly EvmOverride[],
    options: string,
  ): EvmTrace;
  /** Drops the cache of one account, which was changed outside of the engine. */
  forget(address: Uint8Array): void;
  /** Drops the whole cache, before another state or version is read. */
  clear(): void;
}

/** Creates an engine; cheap (1-2 ms) after the first. Dropping an engine never changes a result. */
export type EvmEngineFactory = (hooks?: EvmHooks) => EvmEngine;
