import { SdkError, sdkErrors } from './sdk-error.js';
import type { StateEntry, StateRange, StateReader, StateStore } from '../state/state.js';

/** Highest gas limit of a transaction: the gas of a result is a signed number of 64 bits. */
export const MAX_GAS = (1n << 63n) - 1n;

/** Counts gas against a limit; `limit` undefined never runs out (SDK `store/types/gas.go`). */
export class GasMeter {
  #consumed = 0n;
  constructor(readonly limit: bigint | undefined) {}

  get consumed(): bigint {
    return this.#consumed;
  }

  /** Consumed gas, at most the limit: the gas that a transaction takes from its block. */
  get consumedToLimit(): bigint {
    return this.limit !== undefined && this.#consumed > this.limit ? this.limit : this.#consumed;
  }

  get isOutOfGas(): boolean {
    return this.limit !== undefined && this.#consumed >= this.limit;
  }

  /** Replaces the consumed gas by `amount`: an EVM transaction's gas is the gas of the EVM. */
  replace(amount: bigint): void {
    this.#consumed = amount;
  }

  /** Adds the sum of several charges when the limit allows all of them; else adds nothing and answers false. */
  consumeAll(amount: bigint): boolean {
    const after = this.#consumed + amount;
    if (this.limit !== undefined && after > this.limit) return false;
    this.#consumed = after;
    return true;
  }

  /** Adds first and fails afterwards, so that the reported gas includes the access that went too far. */
  consume(amount: bigint, location: string): void {
    this.#consumed += amount;
    if (this.limit !== undefined && this.#consumed > this.limit) throw new OutOfGas(location);
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
  has: 1000n,
  delete: 1000n,
  readFlat: 1000n,
  readPerByte: 3n,
  writeFlat: 2000n,
  writePerByte: 30n,
  iterNext: 30n,
} as const;

/** Prices of accesses to stores that live for one block (SDK `TransientGasConfig`). */
const TRANSIENT_GAS = { readFlat: 100n, writeFlat: 200n, writePerByte: 3n } as const;

/** A store whose accesses cost gas, in the order in which the SDK's gaskv charges them. */
export class MeteredStore implements StateStore {
  constructor(
    readonly inner: StateStore,
    private readonly gas: GasMeter,
  ) {}

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    this.gas.consume(STORE_GAS.readFlat, 'ReadFlat');
    const value = this.inner.get(store, key);
    const length = value?.length ?? 0;
    if (this.gas.consumeAll(STORE_GAS.readPerByte * BigInt(key.length + length))) return value;
    this.gas.consume(STORE_GAS.readPerByte * BigInt(key.length), 'ReadPerByte');
    this.gas.consume(STORE_GAS.readPerByte * BigInt(length), 'ReadPerByte');
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
    if (isFirst) this.gas.consume(STORE_GAS.iterNext, 'IterNextFlat');
  }

  #chargeEntry({ key, value }: StateEntry): void {
    this.gas.consume(STORE_GAS.readPerByte * BigInt(key.length), 'ValuePerByte');
    this.gas.consume(STORE_GAS.readPerByte * BigInt(value.length), 'ValuePerByte');
    this.gas.consume(STORE_GAS.iterNext, 'IterNextFlat');
  }

  set(store: string, key: Uint8Array, value: Uint8Array): void {
    const bytes = key.length + value.length;
    if (!this.gas.consumeAll(STORE_GAS.writeFlat + STORE_GAS.writePerByte * BigInt(bytes)))
      this.#chargeWrite(key, value);
    this.inner.set(store, key, value);
  }

  #chargeWrite(key: Uint8Array, value: Uint8Array): void {
    this.gas.consume(STORE_GAS.writeFlat, 'WriteFlat');
    this.gas.consume(STORE_GAS.writePerByte * BigInt(key.length), 'WritePerByte');
    this.gas.consume(STORE_GAS.writePerByte * BigInt(value.length), 'WritePerByte');
  }

  delete(store: string, key: Uint8Array): void {
    this.gas.consume(STORE_GAS.delete, 'Delete');
    this.inner.delete(store, key);
  }

  /** Existence check, charged differently from a read. */
  has(store: string, key: Uint8Array): boolean {
    this.gas.consume(STORE_GAS.has, 'Has');
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

/** The same store without its meter, for reads that the SDK does before a transaction's meter starts. */
export function unmetered(store: StateStore): StateStore {
  return store instanceof MeteredStore ? store.inner : store;
}
