import { hex } from '../../../bytes/hex.js';
import type { EvmAccountChange, EvmState } from '../../../evm/engine.js';
import type { Context } from '../../../sdk/context.js';
import { hasAccount } from '../../auth/accounts.js';
import { evmState } from '../state.js';
import { EMPTY_CODE_HASH } from '../store.js';

const ZERO = new Uint8Array(32);

interface Touch {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

/**
 * The accounts that a transaction wrote before it ended: each is written once more at its end, also when the EVM has
 * set it back meanwhile. evmd does so with accounts that were only touched, too (cosmos/evm v0.6 `x/vm/statedb`).
 */
export class Touched {
  readonly #touches: Touch[] = [];
  readonly #context: Context;
  #made: EvmState | undefined;

  /** `context`: before the transaction. */
  constructor(context: Context) {
    this.#context = context;
  }

  get #state(): EvmState {
    this.#made ??= evmState(this.#context);
    return this.#made;
  }

  get length(): number {
    return this.#touches.length;
  }

  add(address: Uint8Array, slots: readonly Uint8Array[] = []): void {
    this.#touches.push({ address, slots });
  }

  /** Forgets all but the first `length`. */
  cut(length: number): void {
    this.#touches.length = length;
  }

  /** The changes, ascending by address, and the touched accounts and slots among them as they were before. */
  completed(changes: readonly EvmAccountChange[]): readonly EvmAccountChange[] {
    if (this.#touches.length === 0) return changes;
    const slotsOf = new Map<string, Map<string, Uint8Array>>();
    for (const { address, slots } of this.#touches) {
      const known = slotsOf.get(hex(address)) ?? new Map<string, Uint8Array>();
      slotsOf.set(hex(address), known);
      for (const slot of slots) known.set(hex(slot), slot);
    }
    const byAddress = new Map(changes.map((change) => [hex(change.address), change]));
    for (const { address } of this.#touches) {
      const change = byAddress.get(hex(address)) ?? this.#unchanged(address);
      byAddress.set(
        hex(address),
        change.kind === 'changed' ? this.#withSlots(change, slotsOf.get(hex(address))) : change,
      );
    }
    return [...byAddress].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, change]) => change);
  }

  #unchanged(address: Uint8Array): EvmAccountChange {
    const before = this.#state.account(address);
    const staysEmpty = this.#context.version.quirks.evmMintsAndBurns || hasAccount(this.#context, address);
    if (before === undefined && !staysEmpty) return { kind: 'deleted', address };
    const { balance, nonce, codeHash } = before ?? { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH };
    return { kind: 'changed', address, created: false, balance, nonce, codeHash, code: undefined, slots: [] };
  }

  #withSlots(
    change: Extract<EvmAccountChange, { kind: 'changed' }>,
    touched: ReadonlyMap<string, Uint8Array> = new Map(),
  ): EvmAccountChange {
    const changed = new Set(change.slots.map(({ slot }) => hex(slot)));
    const back = [...touched].flatMap(([name, slot]) =>
      changed.has(name) ? [] : [{ slot, value: this.#state.storage(change.address, slot) ?? ZERO }],
    );
    return back.length === 0 ? change : { ...change, slots: [...change.slots, ...back] };
  }
}
