import { SdkError, sdkErrors } from './sdk-error.js';
import type { StateEntry, StateRange, StateReader, StateStore } from '../../state/state.js';

/** Highest gas limit of a transaction: the gas of a result is a signed number of 64 bits. */
export const MAX_GAS = (1n << 63n) - 1n;

/** Small charges are added as numbers up to here, far below where numbers stop to be exact. */
const MOST_SMALL = 2 ** 52;

/** Counts gas against a limit; `limit` undefined never runs out (SDK `store/types/gas.go`). */
export class GasMeter {
  /** Consumed gas is the sum of both: a charge of a store is added as a number, in a fraction of a bigint's time. */
  #large = 0n;
  #small = 0;
  /** The bound of `#small`: what is left of the limit, or the most that it holds. */
  #room = 0;

  constructor(readonly limit: bigint | undefined) {
    this.#setLarge(0n);
  }

  get consumed(): bigint {
    return this.#small === 0 ? this.#large : this.#large + BigInt(this.#small);
  }

  /** Consumed gas, at most the limit: the gas that a transaction takes from its block. */
  get consumedToLimit(): bigint {
    const { consumed } = this;
    return this.limit !== undefined && consumed > this.limit ? this.limit : consumed;
  }

  get isOutOfGas(): boolean {
    return this.limit !== undefined && this.consumed >= this.limit;
  }

  /** Replaces the consumed gas by `amount`: an EVM transaction's gas is the gas of the EVM. */
  replace(amount: bigint): void {
    this.#setLarge(amount);
  }

  /** Adds the sum of the charges of one access when the limit allows all of them; else adds nothing. */
  consumeAll(amount: number): boolean {
    if (this.#small + amount > this.#room) this.#setLarge(this.consumed);
    if (this.#small + amount > this.#room) return false;
    this.#small += amount;
    return true;
  }

  /** Adds first and fails afterwards, so that the reported gas includes the access that went too far. */
  consume(amount: bigint, location: string): void {
    this.#setLarge(this.consumed + amount);
    if (this.limit !== undefined && this.#large > this.limit) throw new OutOfGas(location);
  }

  /** Consumes a whole number of gas. */
  consumeSmall(amount: number, location: string): void {
    if (this.#small + amount <= this.#room) this.#small += amount;
    else this.consume(BigInt(amount), location);
  }

  #setLarge(amount: bigint): void {
    this.#large = amount;
    this.#small = 0;
    const left = this.limit === undefined ? MOST_SMALL : this.limit - amount;
    this.#room = left < MOST_SMALL ? Number(left) : MOST_SMALL;
  }
}

/** Gas ran out at a named location; `runTx` completes the text with gas wanted and used. */
export class OutOfGas extends SdkError {
  constructor(readonly location: string) {
    super(sdkErrors.outOfGas, location);
    this.name = 'OutOfGas';
  }
}

/** Prices of store accesses (SDK `store/types/gas.go` KVGasConfig). */
const STORE_GAS = {
  has: 1000,
  delete: 1000,
  readFlat: 1000,
  readPerByte: 3,
  writeFlat: 2000,
  writePerByte: 30,
  iterNext: 30,
} as const;

/** Prices of accesses to stores that live for one block (SDK `TransientGasConfig`). */
const TRANSIENT_GAS = { readFlat: 100n, writeFlat: 200n, writePerByte: 3n } as const;

/** A store whose accesses cost gas, in the order in which the SDK's gaskv charges them. */
export class MeteredStore implements StateStore {
  constructor(
    readonly inner: StateStore,
    private readonly gas: GasMeter,
    /** Called for a page backwards from the last key of a list; throws SdkError to refuse it. */
    readonly atLastPage: () => void = () => {},
  ) {}

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    this.gas.consumeSmall(STORE_GAS.readFlat, 'ReadFlat');
    const value = this.inner.get(store, key);
    const length = value?.length ?? 0;
    if (this.gas.consumeAll(STORE_GAS.readPerByte * (key.length + length))) return value;
    this.gas.consumeSmall(STORE_GAS.readPerByte * key.length, 'ReadPerByte');
    this.gas.consumeSmall(STORE_GAS.readPerByte * length, 'ReadPerByte');
    return value;
  }

  /** An iterator pays for its first entry when it is made, and for each when it leaves it: the first pays twice. */
  *range(store: string, range: StateRange): Iterable<StateEntry> {
    let isFirst = true;
    for (const entry of this.inner.range(store, range)) {
      if (isFirst) this.#chargeEntry(entry);
      isFirst = false;
      yield entry;
      this.#chargeEntry(entry);
    }
    if (isFirst) this.gas.consumeSmall(STORE_GAS.iterNext, 'IterNextFlat');
  }

  #chargeEntry({ key, value }: StateEntry): void {
    this.gas.consumeSmall(STORE_GAS.readPerByte * key.length, 'ValuePerByte');
    this.gas.consumeSmall(STORE_GAS.readPerByte * value.length, 'ValuePerByte');
    this.gas.consumeSmall(STORE_GAS.iterNext, 'IterNextFlat');
  }

  set(store: string, key: Uint8Array, value: Uint8Array): void {
    const bytes = key.length + value.length;
    if (!this.gas.consumeAll(STORE_GAS.writeFlat + STORE_GAS.writePerByte * bytes)) this.#chargeWrite(key, value);
    this.inner.set(store, key, value);
  }

  #chargeWrite(key: Uint8Array, value: Uint8Array): void {
    this.gas.consumeSmall(STORE_GAS.writeFlat, 'WriteFlat');
    this.gas.consumeSmall(STORE_GAS.writePerByte * key.length, 'WritePerByte');
    this.gas.consumeSmall(STORE_GAS.writePerByte * value.length, 'WritePerByte');
  }

  delete(store: string, key: Uint8Array): void {
    this.gas.consumeSmall(STORE_GAS.delete, 'Delete');
    this.inner.delete(store, key);
  }

  /** Existence check, charged differently from a read. */
  has(store: string, key: Uint8Array): boolean {
    this.gas.consumeSmall(STORE_GAS.has, 'Has');
    return this.inner.get(store, key) !== undefined;
  }

  /** The price of reading a value of a transient store and writing it again; `bytes`: of its key and itself. */
  chargeTransientUpdate(bytes: bigint): void {
    this.gas.consume(TRANSIENT_GAS.readFlat, 'ReadFlat');
    this.gas.consume(TRANSIENT_GAS.writeFlat, 'WriteFlat');
    this.gas.consume(TRANSIENT_GAS.writePerByte * bytes, 'WritePerByte');
  }
}

/** Existence of a key: charged as `Has` when the store is metered. */
export function has(store: StateReader, name: string, key: Uint8Array): boolean {
  return store instanceof MeteredStore ? store.has(name, key) : store.get(name, key) !== undefined;
}

/** Returns the store without its meter, for reads that the SDK does before a transaction's meter starts. */
export function unmetered(store: StateStore): StateStore {
  return store instanceof MeteredStore ? store.inner : store;
}
