import { create } from '@bufbuild/protobuf';
import type {
  Application,
  BlockContext,
  CheckState,
  EthereumCalls,
  FinalizeBlockRequest,
  FinalizeBlockResult,
  InitChainRequest,
  InitChainResult,
  QueryContext,
  QueryResult,
  SimulateResult,
} from '../application.js';
import { invariant } from '../errors.js';
import type { EvmEngineFactory, EvmTrace } from '../evm/engine.js';
import type { Crypto } from '../ports/crypto.js';
import { toHeight } from '../primitives.js';
import {
  ResponseCheckTxSchema,
  type Event,
  type ExecTxResult,
  type ResponseCheckTx,
} from '../proto/tendermint/abci/types_pb.js';
import { CacheStore, EMPTY_STATE } from '../state/overlay.js';
import type { StateReader, StateStore } from '../state/state.js';
import { getConsensusParams } from '../modules/consensus/module.js';
import { modules as allModules } from '../modules/index.js';
import { contentOf } from '../ethereum/content.js';
import { forgetSpent, recheckEthereumAnte } from '../modules/evm/ante.js';
import { traceEthereumTx } from '../modules/evm/trace.js';
import { preBlockUpgrade } from '../modules/upgrade/due.js';
import { getPlan } from '../modules/upgrade/plan-store.js';
import type { AccountNonce } from '../mempool/pool-transaction.js';
import { fromHex } from '../comet/text.js';
import { getAccount, setAccount, withBase } from '../modules/auth/accounts.js';
import type { AppVersion } from '../sdk/app-version.js';
import { withAttribute } from '../sdk/abci-event.js';
import { EMPTY } from '../bytes/bytes.js';
import { BlockScope } from '../sdk/block-scope.js';
import type { ChainConfig } from '../sdk/chain-config.js';
import type { Context, Mode } from '../sdk/context.js';
import { describeTx } from './describe-tx.js';
import { EngineHost } from '../sdk/engine-host.js';
import { ethereumCalls, ethereumReads } from './ethereum-reads.js';
import { GasMeter } from '../sdk/gas.js';
import { GenesisError } from '../sdk/genesis-section.js';
import { asObject } from '../json-object.js';
import { MessageRouter } from '../sdk/message-router.js';
import type { Module, QueryHandler } from '../sdk/module.js';
import { SdkError } from '../sdk/sdk-error.js';
import { runTx, type TxOutcome } from './run-tx.js';
import { readTx } from '../sdk/tx.js';

export interface ApplicationOptions {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly crypto: Crypto;
  /** Upgrade names that this build can apply; none when absent. */
  readonly handlers?: ReadonlySet<string>;
  /** Heights whose plan is dropped (`--unsafe-skip-upgrades`). */
  readonly skipUpgradeHeights?: ReadonlySet<bigint>;
  /** Makes the EVM's engines; without it Ethereum transactions fail with an honest error. */
  readonly evm?: EvmEngineFactory;
  /** Modules by name; those of `src/core/modules` unless a test brings its own. */
  readonly modules?: readonly Module[];
}

/** Modules that a version names but this build does not have, in order of InitGenesis. */
export function missingModules(version: AppVersion, modules: readonly Module[] = allModules): readonly string[] {
  const present = new Set(modules.map(({ name }) => name));
  return version.initOrder.filter((name) => !present.has(name));
}

/** The application of one version over one chain, as pure functions of the state (see `Application`). */
export function createApplication(options: ApplicationOptions): Application {
  const { version, chain, crypto } = options;
  const modules = (options.modules ?? allModules).filter(({ name }) => version.initOrder.includes(name));
  const byName = new Map(modules.map((module) => [module.name, module]));
  const inOrder = (names: readonly string[]): readonly Module[] => names.flatMap((name) => byName.get(name) ?? []);
  const beginning = inOrder(version.beginBlockOrder);
  const ending = inOrder(version.endBlockOrder);
  const router = new MessageRouter(modules, version);
  const queries = new Map<string, QueryHandler>(
    modules.flatMap((module) => module.queries).map((handler) => [handler.path, handler]),
  );
  const abilities = {
    handlers: options.handlers ?? new Set<string>(),
    skipHeights: options.skipUpgradeHeights ?? new Set<bigint>(),
    modules,
  };

  // Blocks and everything else have an engine each: what a query reads must not be in the cache of a block.
  const blockEvm = options.evm === undefined ? undefined : new EngineHost(options.evm);
  const queryEvm = options.evm === undefined ? undefined : new EngineHost(options.evm);
  let lastExecuted: bigint | undefined;

  const base = (at: QueryContext, block = BlockScope.none(), evm = queryEvm) => ({
    chainId: at.chainId,
    height: at.height,
    time: at.time,
    chain,
    version,
    crypto,
    block,
    evm,
    txBytes: EMPTY,
  });
  // field by field: spreading `base` here costs 5 us, a third of an account's read
  const phase = (
    at: QueryContext,
    store: StateStore,
    mode: Mode,
    block = BlockScope.none(),
    evm = queryEvm,
  ): Context => ({
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
    block,
    evm,
    txBytes: EMPTY,
  });

  let queried: { readonly state: StateReader; readonly height: bigint } | undefined;
  /** The block that calls run in, the same object for the same block: the engine takes its facts once. */
  let called: { readonly at: BlockContext; readonly scope: BlockScope } | undefined;
  /** The engine of queries, emptied unless the same state is read again; `undefined` for a state that the engine will change. */
  const readingFrom = (state: StateReader | undefined, height: bigint): EngineHost | undefined => {
    if (state === undefined || queried?.state !== state || queried.height !== height) queryEvm?.clear();
    queried = state === undefined ? undefined : { state, height };
    return queryEvm;
  };
  const query = (state: StateReader, at: QueryContext): Context =>
    phase(at, new CacheStore(state), 'query', BlockScope.none(), readingFrom(state, at.height));

  const reads = ethereumReads(version.stores, query);
  const calls = ethereumCalls((state, at) => {
    if (called?.at !== at || queried?.state !== state)
      called = { at, scope: new BlockScope(at.hash, at.proposer, new GasMeter(undefined)) };
    return phase(at, new CacheStore(state), 'query', called.scope, readingFrom(state, at.height));
  });
  const traceTransactions: EthereumCalls['traceTransactions'] = function* (before, request, indices, traceOptions) {
    const store = new CacheStore(before);
    const watched = readingFrom(undefined, request.height)?.watch(store) ?? store;
    const blockMaxGas = maxGas(store);
    const blockGas = new GasMeter(blockMaxGas);
    const scope = new BlockScope(request.hash, request.proposerAddress, blockGas);
    for (const module of inOrder(version.preBlockOrder)) module.preBlock?.(phase(request, watched, 'block', scope));
    for (const module of beginning) module.beginBlock?.(phase(request, watched, 'block', scope));
    const trace = (tx: Uint8Array): EvmTrace => {
      try {
        return traceEthereumTx(
          phase(request, watched, 'deliver', scope),
          readTx(tx, router, chain.bech32Prefix),
          traceOptions,
        );
      } catch (error) {
        if (!(error instanceof SdkError)) throw error;
        return { ok: false, message: error.message };
      }
    };
    const last = indices.at(-1) ?? -1;
    const wanted = new Set(indices);
    for (const [index, tx] of request.txs.slice(0, last + 1).entries()) {
      yield wanted.has(index) ? trace(tx) : undefined;
      if (index < last)
        runTx(
          { base: base(request, scope), router, mode: 'deliver', blockMaxGas, blockGas, verified: true },
          store,
          tx,
        );
    }
  };

  return {
    initChain(request: InitChainRequest): InitChainResult {
      const missing = missingModules(version, modules);
      if (missing.length > 0)
        throw new GenesisError(
          'app_state',
          `preset ${version.name} needs modules that this build does not have: ${missing.join(', ')}`,
        );
      const sections = asObject(request.appState);
      if (sections === undefined) throw new GenesisError('app_state', 'is not an object');
      return initModules(request, inOrder(version.initOrder), sections);
    },

    checkTx(checkState: CheckState, tx: Uint8Array, verified = false): ResponseCheckTx {
      invariant(checkState instanceof AppCheckState, 'a check state of another application');
      const outcome = runTx(
        { base: base(checkState.context), router, mode: 'check', blockMaxGas: checkState.blockMaxGas, verified },
        checkState.store,
        tx,
      );
      const { code, codespace, log, data, gasWanted, gasUsed } = outcome;
      return create(ResponseCheckTxSchema, { code, codespace, log, data, gasWanted: int64(gasWanted), gasUsed });
    },

    describe: (tx) => describeTx(tx, router, chain, crypto),

    checkQueued(
      checkState: CheckState,
      tx: Uint8Array,
      sender: AccountNonce,
      verified = false,
      replaced?: Uint8Array,
    ): ResponseCheckTx {
      invariant(checkState instanceof AppCheckState, 'a check state of another application');
      const branch = new AppCheckState(checkState.store.branch(), checkState.context, checkState.blockMaxGas);
      const context = phase(checkState.context, branch.store, 'check');
      const address = fromHex(sender.address);
      const account = getAccount(context, address);
      if (account !== undefined) setAccount(context, address, withBase(account, { sequence: sender.nonce }));
      const old = replaced === undefined ? undefined : contentOf(crypto, replaced);
      if (old !== undefined) forgetSpent(context, address, old.transaction);
      return this.checkTx(branch, tx, verified);
    },

    recheck(checkState: CheckState, sender: string, txs: readonly Uint8Array[]): readonly boolean[] {
      invariant(checkState instanceof AppCheckState, 'a check state of another application');
      const transactions = txs.map((tx) => {
        const content = contentOf(crypto, tx);
        invariant(content !== undefined, 'what waits was read before');
        return content.transaction;
      });
      return recheckEthereumAnte(phase(checkState.context, checkState.store, 'check'), fromHex(sender), transactions);
    },

    nextNonce(checkState: CheckState, address: string): bigint {
      invariant(checkState instanceof AppCheckState, 'a check state of another application');
      return getAccount(phase(checkState.context, checkState.store, 'check'), fromHex(address))?.base.sequence ?? 0n;
    },

    finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult {
      const block = new CacheStore(state);
      const { height } = request;
      // The engine's cache holds the state after the block it executed last: any other is read anew.
      const follows = lastExecuted !== undefined && height === lastExecuted + 1n;
      if (!follows) blockEvm?.clear();
      lastExecuted = undefined;
      const watched = blockEvm?.watch(block) ?? block;
      const blockGas = new GasMeter(maxGas(block));
      const scope = new BlockScope(request.hash, request.proposerAddress, blockGas);
      const events: Event[] = [];
      const inPhase = (mode: string | undefined, run: ((context: Context) => void) | undefined): void => {
        if (run === undefined) return;
        const context = phase(request, watched, 'block', scope, blockEvm);
        run(context);
        for (const event of context.events)
          events.push(mode === undefined ? event : withAttribute(event, 'mode', mode));
      };

      let upgradeApplied: string | undefined;
      for (const name of version.preBlockOrder) {
        if (name === 'upgrade') {
          const verdict = preBlockUpgrade(phase(request, block, 'block'), abilities, follows);
          if (verdict.kind === 'halt')
            return {
              kind: 'halted',
              plan: { ...verdict.plan, height: toHeight(verdict.plan.height) },
              reason: verdict.reason,
            };
          upgradeApplied = verdict.applied;
        }
        inPhase(undefined, byName.get(name)?.preBlock);
      }
      for (const module of beginning) inPhase('BeginBlock', module.beginBlock);

      const blockMaxGas = maxGas(block);
      const txResults = request.txs.map((tx, index) => {
        const verified = request.verified?.has(index) ?? false;
        return toResult(
          runTx(
            { base: base(request, scope, blockEvm), router, mode: 'deliver', blockMaxGas, blockGas, verified },
            block,
            tx,
          ),
        );
      });

      for (const module of ending) inPhase('EndBlock', module.endBlock);
      const params = getConsensusParams({ store: block });
      const plan = getPlan(block);
      lastExecuted = height;
      return {
        kind: 'executed',
        txResults,
        events,
        validatorUpdates: [],
        consensusParamUpdates: params,
        writes: block.writes(),
        upgradeHeight: plan === undefined ? undefined : toHeight(plan.height < height ? height : plan.height),
        upgradeApplied,
      };
    },

    simulate(state: StateReader, at: QueryContext, tx: Uint8Array): SimulateResult {
      const store = new CacheStore(state);
      readingFrom(undefined, at.height);
      const outcome = runTx({ base: base(at), router, mode: 'simulate', blockMaxGas: undefined }, store, tx);
      const { code, codespace, log, gasWanted, gasUsed } = outcome;
      return code === 0
        ? { ok: true, gasWanted, gasUsed, result: toResult(outcome) }
        : { ok: false, code, codespace, log, gasUsed };
    },

    queryPaths: new Set(queries.keys()),

    query(state: StateReader, at: QueryContext, path: string, data: Uint8Array): QueryResult {
      const handler = queries.get(path);
      if (handler === undefined)
        return { ok: false, code: 6, codespace: 'sdk', log: 'unknown query path: unknown request' };
      try {
        return { ok: true, value: handler.handle(query(state, at), data) };
      } catch (error) {
        if (!(error instanceof SdkError)) throw error;
        const { code, codespace } = error.registered;
        return { ok: false, code, codespace, log: error.message };
      }
    },

    ethereum: reads && { ...reads, ...calls, traceTransactions },

    forgetState(): void {
      blockEvm?.clear();
      queryEvm?.clear();
      lastExecuted = undefined;
      queried = undefined;
      called = undefined;
    },

    createCheckState(state: StateReader, at: QueryContext): CheckState {
      const store = new CacheStore(state);
      return new AppCheckState(store, at, maxGas(store));
    },
  };

  function initModules(
    request: InitChainRequest,
    ordered: readonly Module[],
    sections: Readonly<Record<string, unknown>>,
  ): InitChainResult {
    const store = new CacheStore(EMPTY_STATE);
    const context = phase({ chainId: request.chainId, height: toHeight(0n), time: request.time }, store, 'genesis');
    for (const module of ordered)
      module.initGenesis(context, sections[module.name], { consensusParams: request.consensusParams });
    return { writes: store.writes(), validators: request.validators, consensusParams: request.consensusParams };
  }
}

/** The state after the last block plus the effects of the transactions admitted since. */
class AppCheckState implements CheckState {
  readonly kind = 'check-state';
  constructor(
    readonly store: CacheStore,
    readonly context: QueryContext,
    readonly blockMaxGas: bigint | undefined,
  ) {}
}

/** Gas limit of a block; undefined when the parameters say -1 or 0. */
function maxGas(store: CacheStore): bigint | undefined {
  const limit = getConsensusParams({ store })?.block?.maxGas ?? -1n;
  return limit > 0n ? limit : undefined;
}

/** What a transaction asks for is any 64 bits; results hold a signed number and take it as Go converts it. */
function int64(gas: bigint): bigint {
  return BigInt.asIntN(64, gas);
}

function toResult({ code, codespace, log, data, gasWanted, gasUsed, events }: TxOutcome): ExecTxResult {
  return {
    $typeName: 'tendermint.abci.ExecTxResult',
    code,
    codespace,
    log,
    data,
    info: '',
    gasWanted: int64(gasWanted),
    gasUsed,
    events: [...events],
  };
}
