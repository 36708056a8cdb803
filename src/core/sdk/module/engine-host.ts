import type { EvmBlock } from '../../evm/transaction.js';
import type { EvmEngine, EvmEngineFactory } from '../../evm/engine.js';
import type { PrecompileCall, PrecompileResult } from '../../evm/precompile-call.js';
import type { CacheStore } from '../../state/overlay.js';
import type { StateStore } from '../../state/state.js';
import { hex } from '../../bytes/hex.js';
import type { BlockScope } from './block-scope.js';

/** Address of the account (20 bytes) that a key belongs to; undefined when the EVM does not see its value. */
export type EvmAddressOf = (key: Uint8Array) => Uint8Array | undefined;

/** The contracts of the chain during one execution. */
export interface PrecompileHost {
  /** 40 lower-case hex digits each. */
  readonly addresses: readonly string[];
  /** The contracts beside `addresses` that the state has, as far as an account with this code tells of them. */
  found(address: Uint8Array, codeHash: Uint8Array): readonly string[];
  run(call: PrecompileCall): PrecompileResult;
}

const NO_ADDRESSES: readonly string[] = [];

/**
 * The EVM engine of one driver (blocks, or checks and queries) and the rule that keeps its cache equal to the state:
 * the cache holds the accounts as the last executed transaction left them; every other write of a balance, nonce, code
 * or storage is reported here, and the engine reads that account again; a state that does not follow the last one
 * empties the cache.
 */
export class EngineHost {
  readonly #factory: EvmEngineFactory;
  readonly #addresses: ReadonlyMap<string, EvmAddressOf>;
  #engine: EvmEngine | undefined;
  /** Addresses of the chain's contracts, which an engine keeps from its beginning. */
  #addressesOfEngine = NO_ADDRESSES;
  /** Contracts that states had beside those, for every later engine: their host runs them where the state has them. */
  readonly #found = new Set<string>();
  #precompiles: PrecompileHost | undefined;
  #scope: BlockScope | undefined;
  /** Accounts (hex) whose balance, as the EVM sees it, changes with the time of the block. */
  readonly #timed = new Map<string, Uint8Array>();

  /** `addresses`: by store, the accounts that its keys belong to. */
  constructor(factory: EvmEngineFactory, addresses: ReadonlyMap<string, EvmAddressOf>) {
    this.#factory = factory;
    this.#addresses = addresses;
  }

  /**
   * The engine inside a block, for one execution; `block` is called once for each scope, `precompiles` returns the
   * calls of the chain's contracts. Other contracts than before are another engine.
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

  /** Drops an account from the cache when the next block begins, though nothing writes it. */
  forgetAfterBlock(address: Uint8Array): void {
    this.#timed.set(hex(address), address.slice());
  }

  clear(): void {
    this.#timed.clear();
    this.#engine?.clear();
  }

  /** A store that reports to the engine every account whose EVM-visible state is written through it. */
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

  /** Applies the writes of a cache to `target`, and reports them as `watch` does. */
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
