import type { BlockContext, QueryContext } from '../application-requests.js';
import { EMPTY } from '../bytes/bytes.js';
import type { EvmEngineFactory } from '../evm/engine.js';
import type { Crypto } from '../ports/crypto.js';
import type { AppVersion } from '../sdk/module/app-version.js';
import { BlockScope } from '../sdk/module/block-scope.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';
import type { Context, Mode } from '../sdk/module/context.js';
import { EngineHost, type EvmAddressOf } from '../sdk/module/engine-host.js';
import { GasMeter } from '../sdk/module/gas.js';
import type { MessageRouter } from '../sdk/module/message-router.js';
import { presentModules } from '../sdk/module/app-version.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader, StateStore } from '../state/state.js';

interface ContextOptions {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly crypto: Crypto;
  readonly router: MessageRouter;
  readonly evm?: EvmEngineFactory;
}

/**
 * Creates contexts of one application and owns its two EVM engines: one for blocks, one for everything else, so that
 * reads of queries never enter the block engine's cache. Without an engine factory both are undefined.
 */
export class Contexts {
  readonly blockEvm: EngineHost | undefined;
  /** Mappings from store keys to EVM addresses, by store. */
  readonly evmAddresses: ReadonlyMap<string, EvmAddressOf>;
  readonly #queryEvm: EngineHost | undefined;
  readonly #options: ContextOptions;
  #queried: { readonly state: StateReader; readonly height: bigint } | undefined;
  /** Block scope for calls, cached by block: the engine reads block facts once per scope. */
  #called: { readonly at: BlockContext; readonly scope: BlockScope } | undefined;

  constructor(options: ContextOptions) {
    this.#options = options;
    const { evm, version } = options;
    this.evmAddresses = new Map(
      presentModules(version).flatMap(({ store, evmAddressOf }) =>
        evmAddressOf === undefined || store === undefined ? [] : [[store, evmAddressOf] as const],
      ),
    );
    if (evm === undefined) return;
    this.blockEvm = new EngineHost(evm, this.evmAddresses);
    this.#queryEvm = new EngineHost(evm, this.evmAddresses);
  }

  /** Fields that all contexts of a transaction share; the default engine is that of queries. */
  shared(at: QueryContext, block = BlockScope.none(), evm = this.#queryEvm) {
    const { version, chain, crypto, router } = this.#options;
    const { chainId, height, time } = at;
    return { chainId, height, time, chain, version, crypto, router, block, evm, txBytes: EMPTY };
  }

  /** Creates a context outside of transactions, without a gas limit. */
  of(
    at: QueryContext,
    store: StateStore,
    mode: Mode,
    block = BlockScope.none(),
    evm: EngineHost | undefined = this.#queryEvm,
  ): Context {
    const { version, chain, crypto, router } = this.#options;
    // Listed field by field: spreading `shared` costs 5 us here, a third of reading an account.
    return {
      store,
      gas: new GasMeter(undefined),
      events: [],
      mode,
      chainId: at.chainId,
      height: at.height,
      time: at.time,
      chain,
      version,
      crypto,
      router,
      block,
      evm,
      txBytes: EMPTY,
    };
  }

  /** Creates the context of a query on the state after a block. */
  query(state: StateReader, at: QueryContext): Context {
    return this.of(at, new CacheStore(state), 'query', BlockScope.none(), this.#reading(state, at.height));
  }

  /** Creates the context of a call in block `at`, on the state after that block. */
  call(state: StateReader, at: BlockContext): Context {
    if (this.#called?.at !== at || this.#queried?.state !== state)
      this.#called = { at, scope: new BlockScope(at.hash, at.proposer, new GasMeter(undefined)) };
    return this.of(at, new CacheStore(state), 'query', this.#called.scope, this.#reading(state, at.height));
  }

  /** The query engine with an empty cache, for an execution that changes the state. */
  changing(): EngineHost | undefined {
    this.#queryEvm?.clear();
    this.#queried = undefined;
    return this.#queryEvm;
  }

  /** Clears both engines' caches, because the chain was reverted. */
  forget(): void {
    this.blockEvm?.clear();
    this.changing();
    this.#called = undefined;
  }

  /** The query engine; clears its cache unless the same state is read again. */
  #reading(state: StateReader, height: bigint): EngineHost | undefined {
    if (this.#queried?.state !== state || this.#queried.height !== height) this.#queryEvm?.clear();
    this.#queried = { state, height };
    return this.#queryEvm;
  }
}
