import type { BlockContext, FinalizeBlockRequest, QueryContext } from '../application-requests.js';
import type { EthereumCalls, EthereumReads } from '../application-ethereum.js';
import { equal } from '../bytes/bytes.js';
import type { EvmTrace } from '../evm/outcome.js';
import { BlockScope } from '../sdk/module/block-scope.js';
import { GasMeter } from '../sdk/module/gas.js';
import type { Context } from '../sdk/module/context.js';
import type { EvmKeeper } from '../sdk/module/keepers.js';
import { SdkError } from '../sdk/module/sdk-error.js';
import { readTx } from '../sdk/module/tx.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader } from '../state/state.js';
import { maxBlockGas } from './assembly.js';
import { runTx } from './run-tx.js';
import type { ChainAssemblies } from './chain-assemblies.js';

/** The application's methods for Ethereum JSON-RPC. */
export function ethereumFace(stages: ChainAssemblies, evm: EvmKeeper): EthereumReads & EthereumCalls {
  const { fork, minTip } = stages.first.version.evm;
  const contexts = {
    query: (state: StateReader, at: QueryContext) => stages.over(state).contexts.query(state, at),
    call: (state: StateReader, at: BlockContext) => stages.over(state).contexts.call(state, at),
  };
  return {
    fork,
    minTip,
    account: (state, at, address) => evm.account(contexts.query(state, at), address),
    code: (state, at, address) => evm.code(contexts.query(state, at), address),
    codeOf: (state, at, hash) => evm.codeOf(contexts.query(state, at), hash),
    storage: (state, at, address, slot) => evm.storage(contexts.query(state, at), address, slot),
    dumpPart: (state, at, ...rest) => evm.dumpPart(contexts.query(state, at), ...rest),
    admissionBaseFee: (state, at) => evm.admissionBaseFee(contexts.query(state, at)),
    nextBaseFee: (state, at) => evm.nextBaseFee(contexts.query(state, at)),
    minGasPrice: (state, at) => evm.minGasPrice(contexts.query(state, at)),
    call: (state, at, ...rest) => evm.call(contexts.call(state, at), ...rest),
    estimateGas: (state, at, ...rest) => evm.estimateGas(contexts.call(state, at), ...rest),
    createAccessList: (state, at, ...rest) => evm.createAccessList(contexts.call(state, at), ...rest),
    traceCall: (state, at, ...rest) => evm.traceCall(contexts.call(state, at), ...rest),
    simulate: (state, at, simulation) => evm.simulate(contexts.call(state, at), simulation),
    sequenceCalls: (state, at, sequence) => evm.sequenceCalls(contexts.call(state, at), sequence),
    statePart: (state, at, ...rest) => evm.statePart(contexts.query(state, at), ...rest),
    changedAccounts(state, at, ...rest) {
      const stage = stages.over(state).contexts;
      return evm.changedAccounts(stage.query(state, at), stage.evmAddresses, ...rest);
    },
    proof: (state, at, ...rest) => evm.proof(contexts.query(state, at), ...rest),
    slotsAt: readAt(stages, (context, address) => evm.slots(context, address)),
    accountAt: readAt(stages, (context, address) => {
      const { balance, nonce } = evm.account(context, address);
      return { balance, nonce, code: evm.code(context, address) };
    }),
    *changedBy(before, request, index) {
      const block = replay(stages, before, request);
      yield* runUpTo(block, request, index);
      const own = block.store.branch();
      for (const tx of request.txs.slice(index, index + 1)) block.run(tx, own);
      return own.writes().flatMap(({ store, key, value }) => {
        const old = block.store.get(store, key);
        const isSame = old === undefined ? value === undefined : value !== undefined && equal(old, value);
        return isSame ? [] : [{ store, key, before: old, after: value }];
      });
    },
    traceTransactions: traceTransactions(stages, evm),
    traceCallWithin(before, request, index, ...rest) {
      const block = replay(stages, before, request);
      for (const tx of request.txs.slice(0, index)) block.run(tx);
      return evm.traceCall(block.next(), ...rest);
    },
  };
}

/** Re-execution of a block on its parent state, block hooks included. */
interface Replay {
  /** State after what was executed so far. */
  readonly store: CacheStore;
  /** Context of the next transaction. */
  next(): Context;
  /** Executes a transaction; its writes go to `into`, or to the state. */
  run(tx: Uint8Array, into?: CacheStore): void;
}

function replay(stages: ChainAssemblies, before: StateReader, request: FinalizeBlockRequest): Replay {
  const assembly = stages.ofBlock(before, request.height);
  const { contexts, router, build } = assembly;
  const store = new CacheStore(before);
  const watched = contexts.changing()?.watch(store) ?? store;
  const blockMaxGas = maxBlockGas(assembly, store);
  const blockGas = new GasMeter(blockMaxGas);
  const scope = new BlockScope(request.hash, request.proposerAddress, blockGas);
  const inPhase = (): Context => contexts.of(request, watched, 'block', scope);
  // The block was executed before, so whether this build would halt does not matter.
  for (const { preBlock } of assembly.preBlockOrder) preBlock?.(inPhase(), { ...build, follows: true });
  for (const { beginBlock } of assembly.beginBlockOrder) beginBlock?.(inPhase());
  const shared = contexts.shared(request, scope);
  return {
    store,
    next: () => contexts.of(request, watched, 'deliver', scope),
    run: (tx, into = store) =>
      void runTx({ shared, router, mode: 'deliver', blockMaxGas, blockGas, verified: true }, into, tx),
  };
}

/** Re-executes a block and traces the requested transactions. */
function traceTransactions(stages: ChainAssemblies, evm: EvmKeeper): EthereumCalls['traceTransactions'] {
  const { router, chain } = stages.last;
  return function* (before, request, indices, options) {
    const block = replay(stages, before, request);
    const trace = (bytes: Uint8Array): EvmTrace => {
      try {
        const tx = readTx(bytes, router, chain.bech32Prefix);
        return evm.traceTransaction(block.next(), tx, options);
      } catch (error) {
        if (!(error instanceof SdkError)) throw error;
        return { ok: false, message: error.message };
      }
    };
    const last = indices.at(-1) ?? -1;
    const traced = new Set(indices);
    for (const [index, tx] of request.txs.slice(0, last + 1).entries()) {
      yield traced.has(index) ? trace(tx) : undefined;
      if (index < last) block.run(tx);
    }
  };
}

/** Re-executes a block up to a transaction (exclusive) and reads an account at that point. */
function readAt<Value>(stages: ChainAssemblies, read: (context: Context, address: Uint8Array) => Value) {
  return function* (
    before: StateReader,
    request: FinalizeBlockRequest,
    index: number,
    address: Uint8Array,
  ): Generator<undefined, Value> {
    const block = replay(stages, before, request);
    yield* runUpTo(block, request, index);
    return read(block.next(), address);
  };
}

/** Executes the transactions before `index`; yields after each. */
function* runUpTo(block: Replay, { txs }: FinalizeBlockRequest, index: number): Generator<undefined, void> {
  for (const tx of txs.slice(0, index)) {
    block.run(tx);
    yield undefined;
  }
}
