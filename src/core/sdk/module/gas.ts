import { SdkError, sdkErrors } from './sdk-error.js';
import type { StateEntry, StateRange, StateReader, StateStore } from '../../state/state.js';

/** Highest gas limit of a transaction: results store gas as a signed 64-bit integer. */
export const MAX_GAS = (1n << 63n) - 1n;

/** Bound for gas kept as a number, far below the limit of exact numbers. */
const MOST_SMALL = 2 ** 52;

/** Counts gas against a limit; undefined means no limit (SDK `store/types/gas.go`). */
export class GasMeter {
  /** Consumed gas is `#large` + `#small`. Store charges are added to the number, which is much faster than bigint. */
  #large = 0n;
  #small = 0;
  /** Bound of `#small`: the rest of the limit, or the largest exact part. */
  #room = 0;

  constructor(readonly limit: bigint | undefined) {
    this.#setLarge(0n);
  }

  get consumed(): bigint {
    return this.#small === 0 ? this.#large : this.#large + BigInt(this.#small);
  }

  /** Consumed gas, at most the limit: the amount that counts toward the block's gas. */
  get consumedToLimit(): bigint {
    const { consumed } = this;
    return this.limit !== undefined && consumed > this.limit ? this.limit : consumed;
  }

  get isOutOfGas(): boolean {
    return this.limit !== undefined && this.consumed >= this.limit;
  }

  /** Sets the consumed gas to `amount`: an EVM transaction uses the EVM's gas. */
  replace(amount: bigint): void {
    this.#setLarge(amount);
  }

  /** Adds the charges of one access if the limit allows all of them; otherwise adds nothing and returns false. */
  consumeAll(amount: number): boolean {
    if (this.#small + amount > this.#room) this.#setLarge(this.consumed);
    if (this.#small + amount > this.#room) return false;
    this.#small += amount;
    return true;
  }

  /** Consumes gas. Adds before it throws OutOfGas, so that reported gas includes the failed access. */
  consume(amount: bigint, location: string): void {
    this.#setLarge(this.consumed + amount);
    if (this.limit !== undefined && this.#large > this.limit) throw new OutOfGas(location);
  }

  /** Consumes gas given as an integer number. */
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

/** Thrown when gas runs out at a named location; `runTx` adds gas wanted and used to the text. */
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

/** Prices of transient store accesses (SDK `TransientGasConfig`). */
const TRANSIENT_GAS = { readFlat: 100n, writeFlat: 200n, writePerByte: 3n } as const;

/** A store whose accesses consume gas, in the same order as the SDK's gaskv. */
export class MeteredStore implements StateStore {
  constructor(
    readonly inner: StateStore,
    private readonly gas: GasMeter,
    /** Called before a page in reverse order from the last key; throws SdkError to reject it. */
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

  /**
   * Iterates with gas charges: creating the iterator charges the first entry, and leaving each entry charges it, so
   * the first is charged twice.
   */
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

  /** Checks whether a key exists; its price differs from a read. */
  has(store: string, key: Uint8Array): boolean {
    this.gas.consumeSmall(STORE_GAS.has, 'Has');
    return this.inner.get(store, key) !== undefined;
  }

  /** Charges a read and a write of a transient value; `bytes` is the length of key and value. */
  chargeTransientUpdate(bytes: bigint): void {
    this.gas.consume(TRANSIENT_GAS.readFlat, 'ReadFlat');
    this.gas.consume(TRANSIENT_GAS.writeFlat, 'WriteFlat');
    this.gas.consume(TRANSIENT_GAS.writePerByte * bytes, 'WritePerByte');
  }
}

/** Checks whether a key exists; a metered store charges `Has`. */
export function has(store: StateReader, name: string, key: Uint8Array): boolean {
  return store instanceof MeteredStore ? store.has(name, key) : store.get(name, key) !== undefined;
}

/** Returns the store without gas metering, for reads that the SDK does before a transaction's meter starts. */
export function unmetered(store: StateStore): StateStore {
  return store instanceof MeteredStore ? store.inner : store;
}
