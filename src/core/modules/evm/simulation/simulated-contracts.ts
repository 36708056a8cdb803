import type { EvmAccountChange } from '../../../evm/outcome.js';
import type { PrecompileCall, PrecompileResult } from '../../../evm/precompile-call.js';
import type { Context } from '../../../sdk/module/context.js';
import type { PrecompileHost } from '../../../sdk/module/engine-host.js';
import { precompileCalls } from '../precompiles/active.js';
import type { PrecompileCalls } from '../precompiles/calls.js';
import { applyEdit } from '../precompiles/overridden.js';
import type { SimulatedState } from './simulated-state.js';

/**
 * Precompiles in a simulation. They write to the store of their context, so that later calls see it; before one runs,
 * the EVM's changes since the last one are written there.
 */
export class SimulatedContracts implements PrecompileHost {
  readonly addresses: readonly string[];
  readonly #context: Context;
  readonly #state: SimulatedState;
  #calls: PrecompileCalls | undefined;

  /** `context`: its store receives the writes. */
  constructor(context: Context, state: SimulatedState) {
    this.#context = context;
    this.#state = state;
    this.addresses = precompileCalls(context)?.addresses ?? [];
  }

  /** Error text of the last precompile that halted in this execution. */
  get halted(): string {
    return this.#calls?.halted ?? '';
  }

  /** Starts the next execution; drops unsettled changes of the last one. */
  begin(): void {
    this.#calls = undefined;
  }

  found(address: Uint8Array, codeHash: Uint8Array): readonly string[] {
    return precompileCalls(this.#context)?.found(address, codeHash) ?? [];
  }

  run(call: PrecompileCall): PrecompileResult {
    this.#calls ??= this.#overEdits();
    return this.#calls.run(call);
  }

  /** Writes the precompiles' changes; returns them together with the EVM's. */
  settle(changes: readonly EvmAccountChange[]): readonly EvmAccountChange[] {
    return this.#calls?.settle(changes) ?? changes;
  }

  #overEdits(): PrecompileCalls {
    for (const edit of this.#state.takeEdits()) applyEdit(this.#context, edit);
    const calls = precompileCalls(this.#context);
    if (calls === undefined) throw new Error('invariant: a simulation keeps its contracts');
    return calls;
  }
}
