import type { EvmBlock, EvmEngine, EvmEngineFactory } from '../evm/engine.js';
import type { StateStore } from '../state/state.js';
import type { BlockScope } from './block-scope.js';

/**
 * The EVM engine of one driver (blocks, or checks and queries) and the rule that keeps its cache equal to the state:
 * the cache holds what the last executed transaction left; whatever else writes an account, its balance, nonce, code or
 * storage, names it here and the engine reads it anew; a state that does not follow the last one empties the cache.
 */
export class EngineHost {
  readonly #factory: EvmEngineFactory;
  #engine: EvmEngine | undefined;
  #scope: BlockScope | undefined;

  constructor(factory: EvmEngineFactory) {
    this.#factory = factory;
  }

  /** The engine inside a block; `block` is asked once for each scope. */
  enter(scope: BlockScope, block: () => EvmBlock): EvmEngine {
    this.#engine ??= this.#factory();
    if (this.#scope !== scope) {
      this.#engine.beginBlock(block());
      this.#scope = scope;
    }
    return this.#engine;
  }

  forget(address: Uint8Array): void {
    this.#engine?.forget(address);
  }

  clear(): void {
    this.#engine?.clear();
  }

  /** A store that tells the engine of every account whose EVM-visible state is written through it. */
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

  #wrote(store: string, key: Uint8Array): void {
    if (this.#engine === undefined) return;
    const prefix = key[0];
    if (store === 'acc' && prefix === 1 && key.length === 21) this.#engine.forget(key.subarray(1));
    if (store === 'bank' && prefix === 2 && key[1] === 20) this.#engine.forget(key.subarray(2, 22));
    if (store === 'evm' && (prefix === 2 || prefix === 4)) this.#engine.forget(key.subarray(1, 21));
  }
}
