import type { EvmAccountChange } from '../../../evm/outcome.js';
import type { EvmState } from '../../../evm/state.js';
import type { Context } from '../../../sdk/module/context.js';
import { keyName } from '../../../state/key-name.js';
import { accountRules } from '../apply-changes.js';
import { evmState } from '../state.js';
import { EMPTY_CODE_HASH } from '../store.js';

const ZERO = new Uint8Array(32);

interface Touch {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

/**
 * Accounts that were written before the transaction's end: each is written again at the end, even if the EVM has
 * restored it (cosmos/evm v0.6 `x/vm/statedb`).
 */
export class Touched {
  readonly #touches: Touch[] = [];
  readonly #context: Context;
  #made: EvmState | undefined;

  /** `context` is the one before the transaction. */
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

  /** Keeps only the first `length` entries. */
  cut(length: number): void {
    this.#touches.length = length;
  }

  /** The changes in address order, completed by touched accounts and slots with their original values. */
  completed(changes: readonly EvmAccountChange[]): readonly EvmAccountChange[] {
    if (this.#touches.length === 0) return changes;
    const byAddress = new Map(changes.map((change) => [keyName(change.address), change]));
    const slotsOf = new Map<string, Map<string, Uint8Array>>();
    for (const { address, slots } of this.#touches) {
      const name = keyName(address);
      if (!byAddress.has(name)) byAddress.set(name, this.#unchanged(address));
      if (slots.length === 0) continue;
      let known = slotsOf.get(name);
      if (known === undefined) slotsOf.set(name, (known = new Map()));
      for (const slot of slots) known.set(keyName(slot), slot);
    }
    for (const [name, slots] of slotsOf) {
      const change = byAddress.get(name);
      if (change?.kind === 'changed') byAddress.set(name, this.#withSlots(change, slots));
    }
    if (byAddress.size === changes.length) return [...byAddress.values()];
    return [...byAddress].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, change]) => change);
  }

  #unchanged(address: Uint8Array): EvmAccountChange {
    const before = this.#state.account(address);
    const staysEmpty = accountRules.of(this.#context).keepsEmpty(this.#context, address);
    if (before === undefined && !staysEmpty) return { kind: 'deleted', address };
    const { balance, nonce, codeHash } = before ?? { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH };
    return { kind: 'changed', address, created: false, balance, nonce, codeHash, code: undefined, slots: [] };
  }

  #withSlots(
    change: Extract<EvmAccountChange, { kind: 'changed' }>,
    touched: ReadonlyMap<string, Uint8Array>,
  ): EvmAccountChange {
    const changed = new Set(change.slots.map(({ slot }) => keyName(slot)));
    const back = [...touched].flatMap(([name, slot]) =>
      changed.has(name) ? [] : [{ slot, value: this.#state.storage(change.address, slot) ?? ZERO }],
    );
    return back.length === 0 ? change : { ...change, slots: [...change.slots, ...back] };
  }
}
