import { EMPTY, equal } from '../../../bytes/bytes.js';
import { hex } from '../../../bytes/hex.js';
import type { EvmAccountChange } from '../../../evm/outcome.js';
import type { EvmJournal, PrecompileCall, PrecompileResult } from '../../../evm/precompile-call.js';
import { FIXED_LIMITS } from '../../../limits/limits.js';
import { withStore, type Context } from '../../../sdk/module/context.js';
import type { PrecompileHost } from '../../../sdk/module/engine-host.js';
import { GasMeter, MeteredStore, OutOfGas } from '../../../sdk/module/gas.js';
import { plainError, RecoveredPanic, SdkError } from '../../../sdk/module/sdk-error.js';
import {
  SilentRevert,
  type ContractCall,
  type DynamicPrecompiles,
  type StatefulPrecompile,
} from '../../../sdk/module/stateful-precompile.js';
import type { StateStore } from '../../../state/state.js';
import { hasAccount } from '../../auth/accounts.js';
import { accountRules, applyChanges } from '../apply-changes.js';
import { payForChanges, withCreatedAccounts } from '../internal-changes.js';
import { callRules, type CallRules } from './call-rules.js';
import { Layers } from './layers.js';
import { revertReason } from './revert-reason.js';
import { Touched } from './touched.js';

/** Transaction of a module that called the EVM. */
export interface Payer {
  readonly gas: GasMeter;
  /** True when it pays for writes before a precompile runs. */
  readonly paysStores: boolean;
}

/** Active precompiles by lower-case hex address. The same object while nothing changes. */
export interface Contracts {
  readonly addresses: readonly string[];
  readonly byAddress: ReadonlyMap<string, StatefulPrecompile>;
  /** Precompiles that the parameters list; the others are tokens. */
  readonly named: ReadonlySet<string>;
  /** Precompiles that the state adds while the chain runs. */
  readonly dynamic: DynamicPrecompiles | undefined;
}

/**
 * Precompile calls in one EVM execution, like cosmos/evm v0.6 (`precompiles/common/precompile.go`, `x/vm/statedb`).
 * Before a precompile runs, the EVM's state is written to a layer over the store, so that both see the same state; a
 * reverted frame drops the layers of its calls.
 */
export class PrecompileCalls implements PrecompileHost {
  readonly addresses: readonly string[];
  readonly #contracts: Contracts['byAddress'];
  readonly #dynamic: DynamicPrecompiles | undefined;
  /** Context of the transaction, with an unmetered store. */
  readonly #context: Context;
  readonly #payer: Payer | undefined;
  readonly #rules: CallRules;
  readonly #layers: Layers;
  readonly #touched: Touched;
  /** Number of events already applied to the EVM's balances. */
  #followed = 0;
  #count = 0;
  #halted = '';

  constructor(context: Context, { addresses, byAddress, dynamic }: Contracts, payer?: Payer) {
    this.#context = context;
    this.#payer = payer;
    this.#contracts = byAddress;
    this.#dynamic = dynamic;
    this.addresses = addresses;
    this.#rules = callRules.of(context);
    this.#layers = new Layers(context.store);
    this.#touched = new Touched(context);
  }

  /** Error text of the last precompile that halted. */
  get halted(): string {
    return this.#halted;
  }

  found(address: Uint8Array, codeHash: Uint8Array): readonly string[] {
    const dynamic = this.#dynamic;
    const context = this.#context;
    if (dynamic?.isCode(context, codeHash) !== true || dynamic.at(context, address) === undefined) return [];
    // In a block the execution restarts only once, even for several tokens: it walks the trees in memory.
    return context.mode === 'deliver' ? [hex(address), ...dynamic.all(context)] : [hex(address)];
  }

  run(call: PrecompileCall): PrecompileResult {
    const contract = this.#contracts.get(hex(call.address)) ?? this.#dynamic?.at(this.#context, call.address);
    // A precompile of another state: here it is an account without code.
    if (contract === undefined) return { status: 'success', gasUsed: 0n, output: EMPTY };
    const required = contract.requiredGas(this.#context, call.input);
    if (required > call.gas) return { status: 'halt', gasUsed: required, output: EMPTY };
    this.#undoable(call);
    this.#touch(call);
    const refusal = this.#rules.refusal(contract, call);
    if (refusal !== undefined) return { status: 'revert', gasUsed: required, output: revertReason(refusal) };
    switch (contract.kind) {
      case 'p256':
        return { status: 'p256', gasUsed: 0n, output: EMPTY };
      case 'pure':
        return this.#runPure(contract, call, required);
      case 'messages':
        return this.#runMessages(contract, call, required);
    }
  }

  /** Reverted calls do not count toward the limit. */
  restarted(): void {
    this.#count = 0;
    this.#halted = '';
  }

  /**
   * Writes the calls' changes and completes the EVM's changes, which the caller writes next. Drops accounts that the
   * calls wrote from the engine's cache.
   */
  settle(changes: readonly EvmAccountChange[]): readonly EvmAccountChange[] {
    const completed = this.#touched.completed(changes);
    const { store, evm, events } = this.#context;
    for (const layer of this.#layers.take()) {
      if (evm === undefined) layer.commitTo(store);
      else evm.commit(layer, store);
    }
    for (const event of this.#layers.events) events.push(event);
    return completed;
  }

  get #meter(): GasMeter | undefined {
    return this.#payer?.paysStores === true ? this.#payer.gas : undefined;
  }

  #undoable(call: PrecompileCall): void {
    const { moment } = this.#layers;
    const touched = this.#touched.length;
    const followed = this.#followed;
    call.undo(() => {
      this.#layers.backTo(moment);
      this.#touched.cut(touched);
      this.#followed = followed;
    });
  }

  /** Under rules that keep empty accounts, a called precompile becomes one. */
  #touch({ address, isDelegate }: PrecompileCall): void {
    if (isDelegate || hasAccount(this.#context, address)) return;
    if (accountRules.of(this.#context).keepsEmpty(this.#context, address)) this.#touched.add(address);
  }

  #runPure(contract: StatefulPrecompile, call: PrecompileCall, gasUsed: bigint): PrecompileResult {
    try {
      return { status: 'success', gasUsed, output: contract.run(this.#context, this.#contractCall(call)) };
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      if (error instanceof SilentRevert) return { status: 'revert', gasUsed, output: EMPTY };
      this.#halted = error.message;
      return { status: 'halt', gasUsed, output: EMPTY };
    }
  }

  #runMessages(contract: StatefulPrecompile, call: PrecompileCall, required: bigint): PrecompileResult {
    let meter = this.#meter;
    try {
      this.#count += 1;
      if (this.#count > FIXED_LIMITS.precompileCalls)
        throw plainError(`max calls to precompiles (${FIXED_LIMITS.precompileCalls}) reached`);
      const store = this.#flush(call.journal);
      meter = undefined;
      // Gas used by a module's transaction counts for the precompile too.
      const gas = new GasMeter(call.gas - required - (this.#payer?.gas.consumed ?? 0n));
      const { events } = this.#layers;
      const own = contract.storeGas ? this.#rules.meteredStore(store, gas) : store;
      const context = withStore(this.#context, own, events, gas);
      const before = events.length;
      const output = contract.run(context, this.#contractCall(call));
      this.#follow(before, call.journal);
      return { status: 'success', gasUsed: required + gas.consumed, output };
    } catch (error) {
      if (!(error instanceof SdkError) || error instanceof RecoveredPanic) throw error;
      if (error instanceof OutOfGas && meter !== undefined) throw error;
      const text = error instanceof OutOfGas ? 'out of gas' : error.message;
      // Like the peer, does not charge for store accesses.
      return { status: 'revert', gasUsed: required, output: revertReason(text) };
    }
  }

  /** Writes the EVM's accounts to a new layer for the precompile. */
  #flush(journal: EvmJournal): StateStore {
    const store = this.#layers.push();
    const changes = journal.changes();
    const { events } = this.#layers;
    const meter = this.#meter;
    if (meter === undefined) {
      applyChanges(withStore(this.#context, store, events), this.#touched.completed(changes));
    } else {
      const metered = withStore(this.#context, new MeteredStore(store, meter), events, meter);
      payForChanges(metered, this.#touched.completed(withCreatedAccounts(this.#context, changes)));
    }
    for (const change of changes)
      this.#touched.add(change.address, change.kind === 'changed' ? change.slots.map(({ slot }) => slot) : []);
    this.#followed = events.length;
    return store;
  }

  #follow(from: number, journal: EvmJournal): void {
    const { events } = this.#layers;
    // A precompile that calls the EVM has flushed in between.
    const start = Math.max(from, this.#followed);
    const moves = events.slice(start);
    const after = withStore(this.#context, this.#layers.top);
    const isPaid = this.#meter !== undefined;
    for (const address of this.#rules.follow({ before: this.#context, after, events: moves, journal, isPaid }))
      this.#touched.add(address);
  }

  #contractCall(call: PrecompileCall): ContractCall {
    const { address, caller, target, value, input, isDelegate, journal } = call;
    // CALLCODE has its own frame as caller.
    const isDelegateCall = isDelegate && !equal(caller, target);
    const readOnly = this.#rules.isStatic(call) || isDelegate;
    return { address, caller, value, input, readOnly, isDelegateCall, journal };
  }
}
