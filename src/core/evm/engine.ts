/**
 * Port of the EVM engine: synchronous, deterministic, without state that could change a result
 * (`docs/decisions/0008-evm-engine.md`). Core owns the committed state. The engine owns the journal of the running
 * transaction and a read-through cache; callers must report other changes (`forget`, `clear`). Implemented over
 * WebAssembly in `src/runtime/evm`.
 */
import type { EvmAnswer, EvmOutcome, EvmTrace } from './outcome.js';
import type { Precompile } from './precompile-call.js';
import type { EvmOverride, EvmState } from './state.js';
import type { EvmBlock, EvmRules, EvmTransaction } from './transaction.js';

export interface EvmHooks {
  /** Stateful precompiles by lower-case hex address without 0x. */
  readonly precompiles?: ReadonlyMap<string, Precompile>;
  /**
   * Called for each account that is read. Returns true when it has just added the account to `precompiles`: the
   * execution then restarts. A trace fails instead if pieces of it were taken.
   */
  readonly joins?: (address: Uint8Array, codeHash: Uint8Array) => boolean;
  /**
   * Polled every 4,096 steps and at expensive precompiles; true ends the execution with halt `Interrupted`. Queries
   * only.
   */
  readonly interrupted?: () => boolean;
  /**
   * Receives a piece of the JSON text of a trace without a named tracer: about 1 MiB of UTF-8, valid during the call.
   * The trace's result is then the text after the last piece. Returns false to get the complete text as the result.
   */
  readonly tracePiece?: (text: Uint8Array) => boolean;
}

export interface EvmEngine {
  /** Sets the block for the following transactions and calls. Keeps the cache. */
  beginBlock(block: EvmBlock): void;
  /**
   * Executes a transaction and keeps its changes in the engine's cache; the caller applies `changes` to its state, or
   * calls `clear`.
   */
  transact(state: EvmState, transaction: EvmTransaction, rules: EvmRules): EvmOutcome;
  /** Executes a call with state overrides, without lasting effects. */
  call(state: EvmState, transaction: EvmTransaction, rules: EvmRules, overrides: readonly EvmOverride[]): EvmAnswer;
  /**
   * Executes a call with state overrides; the caller applies its `changes`. The engine keeps nothing. Effects of
   * stateful precompiles in frames that did not revert persist.
   */
  callWithEffects(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides?: readonly EvmOverride[],
  ): EvmOutcome;
  /**
   * Executes like `call` and returns the geth-shaped JSON text of `debug_trace*`; `options` is the tracer options
   * object as JSON text. The tracer `accessListTracer` returns the result of `eth_createAccessList`.
   */
  trace(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides: readonly EvmOverride[],
    options: string,
  ): EvmTrace;
  /** Drops one account from the cache, because it was changed outside of the engine. */
  forget(address: Uint8Array): void;
  /** Drops the whole cache, before another state or version is read. */
  clear(): void;
}

/** Creates an engine in 1-2 ms (the first takes longer). Dropping an engine never changes a result. */
export type EvmEngineFactory = (hooks?: EvmHooks) => EvmEngine;
