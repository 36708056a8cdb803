import type { EvmBlock } from '../../evm/transaction.js';
import type { EvmEngine, EvmEngineFactory } from '../../evm/engine.js';
import type { PrecompileCall, PrecompileResult } from '../../evm/precompile-call.js';
import type { CacheStore } from '../../state/overlay.js';
import type { StateStore } from '../../state/state.js';
import { hex } from '../../bytes/hex.js';
import type { BlockScope } from './block-scope.js';

/** Maps a store key to its account (20 bytes); undefined when the EVM does not see the value. */
export type EvmAddressOf = (key: Uint8Array) => Uint8Array | undefined;

/** The precompiles during one execution. */
export interface PrecompileHost {
  /** Static addresses, 40 lower-case hex digits each. */
  readonly addresses: readonly string[];
  /** Precompiles from the state, besides `addresses`, that an account with this code hash indicates. */
  found(address: Uint8Array, codeHash: Uint8Array): readonly string[];
  run(call: PrecompileCall): PrecompileResult;
}

const NO_ADDRESSES: readonly string[] = [];

/**
 * Owns an EVM engine of one driver (blocks, or checks and queries) and keeps its cache equal to the state. The cache
 * holds accounts as the last executed transaction left them. Every other write of balance, nonce, code or storage is
 * reported here, so that the engine rereads the account. A state that does not follow the last one clears the cache.
 */
export class EngineHost {
  readonly #factory: EvmEngineFactory;
  readonly #addresses: ReadonlyMap<string, EvmAddressOf>;
  #engine: EvmEngine | undefined;
  /** Precompile addresses that the engine was created with. */
  #addressesOfEngine = NO_ADDRESSES;
  /** Precompile addresses from states, for every later engine: the host runs them where the state has them. */
  readonly #found = new Set<string>();
  #precompiles: PrecompileHost | undefined;
  #scope: BlockScope | undefined;
  /** Accounts (hex) whose EVM balance changes with block time. */
  readonly #timed = new Map<string, Uint8Array>();

  /** `addresses`: mapping from keys to accounts, by store. */
  constructor(factory: EvmEngineFactory, addresses: ReadonlyMap<string, EvmAddressOf>) {
    this.#factory = factory;
    this.#addresses = addresses;
  }

  /**
   * Returns the engine for one execution in a block. Calls `block` once per scope. `precompiles` provides the
   * precompile calls; other addresses than before require a new engine.
   */
  enter(scope: BlockScope, block: () => EvmBlock, precompiles?: PrecompileHost): EvmEngine {
    this.#precompiles = precompiles;
    const addresses = precompiles?.addresses ?? NO_ADDRESSES;
    if (!isSame(addresses, this.#addressesOfEngine)) {
      this.#engine = undefined;
      this.#scope = undefined;
    }
    this.#engine ??= this.#create(addresses);
    if (this.#scope !== scope) {
      for (const address of this.#timed.values()) this.#engine.forget(address);
      this.#timed.clear();
      this.#engine.beginBlock(block());
      this.#scope = scope;
    }
    return this.#engine;
  }

  forget(address: Uint8Array): void {
    this.#engine?.forget(address);
  }

  /** Drops an account from the cache when the next block begins, even if nothing writes it. */
  forgetAfterBlock(address: Uint8Array): void {
    this.#timed.set(hex(address), address.slice());
  }

  clear(): void {
    this.#timed.clear();
    this.#engine?.clear();
  }

  /** Wraps a store so that each write of EVM-visible state is reported to the engine. */
  watch(store: StateStore): StateStore {
    return {
      get: (name, key) => store.get(name, key),
      range: (name, range) => store.range(name, range),
      set: (name, key, value) => {
        this.#wrote(name, key);
        store.set(name, key, value);
      },
      delete: (name, key) => {
        this.#wrote(name, key);
        store.delete(name, key);
      },
    };
  }

  /** Commits a cache to `target` and reports its writes like `watch`. */
  commit(cache: CacheStore, target: StateStore): void {
    if (this.#engine !== undefined)
      for (const [store, addressOf] of this.#addresses)
        for (const key of cache.writtenKeys(store)) {
          const address = addressOf(key);
          if (address !== undefined) this.#engine.forget(address);
        }
    cache.commitTo(target);
  }

  #create(addresses: readonly string[]): EvmEngine {
    this.#addressesOfEngine = addresses;
    if (addresses.length === 0) return this.#factory();
    const run = (call: PrecompileCall): PrecompileResult => {
      if (this.#precompiles === undefined) throw new Error('invariant: an execution brings its contracts');
      return this.#precompiles.run(call);
    };
    const precompiles = new Map([...addresses, ...this.#found].map((address) => [address, run]));
    const joins = (address: Uint8Array, codeHash: Uint8Array): boolean => {
      const before = precompiles.size;
      for (const found of this.#precompiles?.found(address, codeHash) ?? []) {
        precompiles.set(found, run);
        this.#found.add(found);
      }
      return precompiles.size > before;
    };
    return this.#factory({ precompiles, joins });
  }

  #wrote(store: string, key: Uint8Array): void {
    if (this.#engine === undefined) return;
    const address = this.#addresses.get(store)?.(key);
    if (address !== undefined) this.#engine.forget(address);
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((one, index) => one === right[index]));
}
