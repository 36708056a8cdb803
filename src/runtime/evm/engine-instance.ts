import type { EvmHooks } from '../../core/evm/engine.js';
import type { EvmState } from '../../core/evm/state.js';
import { invariant } from '../../core/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { EngineMemory } from './engine-memory.js';
import type { EngineExports } from './exports.js';
import { createImports, type ImportContext } from './imports.js';
import { createJournal } from './journal.js';
import { UndoLog } from './undo-log.js';
import { fromHex } from '../../core/bytes/hex.js';

/** The WebAssembly instance died of a Rust panic or exhausted memory. Only its cache is lost. */
export class EngineTrap extends Error {}

/** One WebAssembly instance with its cache. It serves one execution at a time, and none after an `EngineTrap`. */
export class EngineInstance {
  readonly undo = new UndoLog();
  readonly #engine: EngineExports;
  readonly #memory: EngineMemory;
  readonly #args: number;
  #state: EvmState | undefined;
  #failure: { readonly error: unknown } | undefined;
  #panic: string | undefined;
  #isDead = false;
  #hasSentPieces = false;
  /** Cache changes requested during an execution; applied at its end, because the cache must not change before. */
  readonly #afterwards: (() => void)[] = [];

  constructor(module: WebAssembly.Module, crypto: Crypto, hooks: EvmHooks) {
    const instance = new WebAssembly.Instance<EngineExports>(module, { host: createImports(() => context) });
    this.#engine = instance.exports;
    this.#memory = new EngineMemory(this.#engine.memory);
    this.#args = this.#engine.args();
    const context = this.#context(crypto, hooks);
    for (const address of hooks.precompiles?.keys() ?? []) {
      invariant(/^[0-9a-f]{40}$/.test(address), 'a precompile is named by 40 lower-case hex digits');
      this.#memory.put(this.#args, fromHex(address));
      this.#engine.add_precompile();
    }
    this.#engine.init();
  }

  get memoryBytes(): number {
    return this.#memory.size;
  }

  /** True when the last trace has already streamed pieces to the host, so it must not run again. */
  get hasSentPieces(): boolean {
    return this.#hasSentPieces;
  }

  /** Passes `input` and calls an export that needs no EVM state. */
  call(input: Uint8Array, run: (engine: EngineExports) => void): void {
    invariant(this.#state === undefined, 'an engine changes its block between executions');
    this.#guard(() => {
      this.#putInput(input);
      run(this.#engine);
    });
  }

  /**
   * Passes `input` and calls an export with an EVM state; rethrows errors of the state; returns the export's status.
   */
  execute(state: EvmState, input: Uint8Array, run: (engine: EngineExports) => number): number {
    invariant(this.#state === undefined, 'an engine executes one transaction at a time');
    this.#state = state;
    this.#hasSentPieces = false;
    try {
      const answer = this.#guard(() => {
        this.#putInput(input);
        return run(this.#engine);
      });
      if (this.#failure !== undefined) throw this.#failure.error;
      return answer;
    } catch (error) {
      this.undo.rollBack(0);
      throw error;
    } finally {
      this.#state = undefined;
      this.#failure = undefined;
      for (const change of this.#afterwards.splice(0)) change();
    }
  }

  /** Output of the last export; a view that is valid until the next call. */
  output(): Uint8Array {
    return this.#memory.lend(this.#engine.output_pointer(), this.#engine.output_length());
  }

  /** Evicts an account from the cache; during an execution, at its end. */
  forget(address: Uint8Array): void {
    invariant(address.length === 20, 'an address has 20 bytes');
    this.#betweenExecutions(() => {
      this.#memory.put(this.#args, address);
      this.#engine.cache_forget();
    });
  }

  clear(): void {
    this.#betweenExecutions(() => this.#engine.cache_clear());
  }

  #betweenExecutions(change: () => void): void {
    if (this.#isDead) return;
    if (this.#state === undefined) change();
    else this.#afterwards.push(() => this.#betweenExecutions(change));
  }

  #putInput(input: Uint8Array): void {
    this.#memory.put(this.#engine.input(input.length), input);
  }

  #guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#isDead = true;
      throw new EngineTrap(this.#panic ?? error.message, { cause: error });
    }
  }

  #context(crypto: Crypto, hooks: EvmHooks): ImportContext {
    const state = (): EvmState => {
      invariant(this.#state !== undefined, 'the engine reads state during an execution only');
      return this.#state;
    };
    const stopped = (): never => {
      throw this.#failure === undefined
        ? new Error('invariant: the engine stops for a reason that the host keeps')
        : this.#failure.error;
    };
    return {
      engine: this.#engine,
      memory: this.#memory,
      journal: createJournal(this.#engine, this.#memory, stopped),
      crypto,
      hooks,
      undo: this.undo,
      get state() {
        return state();
      },
      failed: (error) => {
        this.#failure ??= { error };
      },
      panicked: (message) => {
        this.#panic = message;
      },
      tookPiece: () => {
        this.#hasSentPieces = true;
      },
    };
  }
}
