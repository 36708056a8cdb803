import { decodeExecution, decodeRefusal, decodeResult } from '../../core/evm/decoding.js';
import { encodeBlock, encodeOverrides, encodeTransaction, feesCode } from '../../core/evm/encoding.js';
import type { EvmAnswer, EvmOutcome, EvmRefused, EvmTrace } from '../../core/evm/outcome.js';
import type { EvmBlock, EvmRules, EvmTransaction } from '../../core/evm/transaction.js';
import type { EvmEngine } from '../../core/evm/engine.js';
import type { EvmOverride, EvmState } from '../../core/evm/state.js';
import { EncodingOverflow, FlatWriter } from '../../core/evm/flat-bytes.js';
import { invariant } from '../../core/errors.js';
import { type EngineInstance, EngineTrap } from './engine-instance.js';
import { ANSWERS, type EngineExports } from './exports.js';
import { UnknownPrecompile } from './imports.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/**
 * Implements `src/core/evm/engine.ts` over WebAssembly. After a trap the execution is retried once on a new instance,
 * because the old instance's memory may be the cause and its cache does not affect results. It is also retried for each
 * host precompile that the instance was created without.
 */
export class WasmEngine implements EvmEngine {
  readonly #make: () => EngineInstance;
  readonly #polls: number;
  readonly #writer = new FlatWriter();
  #instance: EngineInstance | undefined;
  #block: Uint8Array | undefined;

  /** `make` creates an instance with the same hooks; `polls`: true when the hooks can interrupt. */
  constructor(make: () => EngineInstance, polls: boolean) {
    this.#make = make;
    this.#polls = polls ? 1 : 0;
  }

  beginBlock(block: EvmBlock): void {
    this.#block = encodeBlock(this.#writer.reset(), block).done().slice();
    this.#instance?.call(this.#block, (engine) => engine.begin_block());
  }

  transact(state: EvmState, transaction: EvmTransaction, rules: EvmRules): EvmOutcome {
    const refused = this.#encode([], transaction, false);
    if (refused !== undefined) return refused;
    return this.#execute(state, (engine) => engine.transact(feesCode(rules)), readChanged);
  }

  call(state: EvmState, transaction: EvmTransaction, rules: EvmRules, overrides: readonly EvmOverride[]): EvmAnswer {
    const refused = this.#encode(overrides, transaction, true);
    if (refused !== undefined) return refused;
    return this.#execute(
      state,
      (engine) => engine.call(feesCode(rules), this.#polls, 0),
      ({ undo }, output) => {
        const result = decodeResult(output);
        undo.rollBack(0);
        return { kind: 'executed', result };
      },
    );
  }

  callWithEffects(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides: readonly EvmOverride[] = [],
  ): EvmOutcome {
    const refused = this.#encode(overrides, transaction, true);
    if (refused !== undefined) return refused;
    const byModule = state.chargeRead === undefined ? 0 : 1;
    return this.#execute(state, (engine) => engine.call(feesCode(rules), this.#polls, byModule), readChanged);
  }

  trace(
    state: EvmState,
    transaction: EvmTransaction,
    rules: EvmRules,
    overrides: readonly EvmOverride[],
    options: string,
  ): EvmTrace {
    try {
      encodeTransaction(
        encodeOverrides(this.#writer.reset().bytes(new TextEncoder().encode(options)), overrides),
        transaction,
      );
    } catch (error) {
      if (error instanceof EncodingOverflow) return { ok: false, message: error.message };
      throw error;
    }
    return this.#run(
      state,
      (engine) => engine.trace(feesCode(rules)),
      (instance, answer) => {
        instance.undo.rollBack(0);
        if (answer === ANSWERS.refused) {
          const refusal = decodeRefusal(instance.output());
          return { ok: false, message: refusal.detail };
        }
        const text = new TextDecoder().decode(instance.output());
        return answer === ANSWERS.executed ? { ok: true, json: text } : { ok: false, message: text };
      },
    );
  }

  forget(address: Uint8Array): void {
    this.#instance?.forget(address);
  }

  clear(): void {
    this.#instance?.clear();
  }

  /**
   * Encodes a transaction; refuses it when a field overflows, or when it violates a rule of its type that the engine
   * leaves to the host.
   */
  #encode(overrides: readonly EvmOverride[], transaction: EvmTransaction, isCall: boolean): EvmRefused | undefined {
    if (transaction.type === 4 && transaction.to === undefined) {
      return { kind: 'refused', reason: 'other', detail: 'a set-code transaction cannot create a contract' };
    }
    try {
      this.#writer.reset();
      if (isCall) encodeOverrides(this.#writer, overrides);
      encodeTransaction(this.#writer, transaction);
      return undefined;
    } catch (error) {
      if (error instanceof EncodingOverflow) return { kind: 'refused', reason: 'overflow', detail: error.message };
      throw error;
    }
  }

  #execute<Executed>(
    state: EvmState,
    run: (engine: EngineExports) => number,
    read: (instance: EngineInstance, output: Uint8Array) => Executed,
  ): Executed | EvmRefused {
    return this.#run(state, run, (instance, answer) => {
      if (answer === ANSWERS.refused) return decodeRefusal(instance.output());
      // Not `invariant`: its message would be built on every execution.
      if (answer !== ANSWERS.executed)
        throw new Error(`invariant: the engine answers ${answer}: ${new TextDecoder().decode(instance.output())}`);
      return read(instance, instance.output());
    });
  }

  #run<T>(
    state: EvmState,
    run: (engine: EngineExports) => number,
    read: (instance: EngineInstance, answer: number) => T,
  ): T {
    for (;;) {
      const instance = this.#ready();
      try {
        return this.#runOn(instance, state, run, read);
      } catch (error) {
        if (!(error instanceof UnknownPrecompile)) throw error;
        this.#instance = undefined;
        if (instance.hasSentPieces) throw error;
        state.restarted?.();
      }
    }
  }

  #runOn<T>(
    instance: EngineInstance,
    state: EvmState,
    run: (engine: EngineExports) => number,
    read: (instance: EngineInstance, answer: number) => T,
  ): T {
    try {
      return read(instance, instance.execute(state, this.#writer.done(), run));
    } catch (error) {
      if (!(error instanceof EngineTrap)) throw error;
      this.#instance = undefined;
      if (instance.hasSentPieces) throw error;
      state.restarted?.();
      const fresh = this.#ready();
      return read(
        fresh,
        this.#orDrop(() => fresh.execute(state, this.#writer.done(), run)),
      );
    } finally {
      if (instance.memoryBytes > FIXED_LIMITS.engineBytes && this.#instance === instance) this.#instance = undefined;
    }
  }

  #orDrop<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.#instance = undefined;
      throw error;
    }
  }

  #ready(): EngineInstance {
    if (this.#instance !== undefined) return this.#instance;
    const block = this.#block;
    invariant(block !== undefined, 'beginBlock comes before an execution');
    const instance = this.#make();
    instance.call(block, (engine) => engine.begin_block());
    this.#instance = instance;
    return instance;
  }
}

/** Decodes an outcome. Changes that precompiles made outside of the EVM are kept for frames that did not revert. */
function readChanged({ undo }: EngineInstance, output: Uint8Array): EvmOutcome {
  const { undoMark, outcome } = decodeExecution(output);
  undo.rollBack(undoMark);
  undo.accept();
  return outcome;
}
