import { hex } from '../../../bytes/hex.js';
import type { EvmAccountChange, EvmState } from '../../../evm/engine.js';
import { EMPTY_CODE_HASH } from '../store.js';

const ZERO = new Uint8Array(32);

interface Touch {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

/**
 * The accounts that a transaction wrote before it ended, or that it only touched. evmd writes each of them once more at
 * its end, also when the EVM has set them back meanwhile (cosmos/evm v0.6 `x/vm/statedb`).
 */
export class Touched {
  readonly #touches: Touch[] = [];
  readonly #state: EvmState;

  /** `state`: before the transaction. */
  constructor(state: EvmState) {
    this.#state = state;
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
      if (change.kind === 'changed') byAddress.set(hex(address), this.#withSlots(change, slotsOf.get(hex(address))));
    }
    return [...byAddress].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, change]) => change);
  }

  #unchanged(address: Uint8Array): EvmAccountChange {
    const { balance, nonce, codeHash } = this.#state.account(address) ?? {
      balance: 0n,
      nonce: 0n,
      codeHash: EMPTY_CODE_HASH,
    };
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
