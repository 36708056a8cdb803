import type { EngineQueries } from '../../core/engine.js';
import type { Observable } from 'rxjs';
import type { Mempool } from '../../actors/mempool/mempool.js';
import { hex, upperHex } from '../../core/bytes/hex.js';
import type { BlockContext, FinalizeBlockRequest } from '../../core/application.js';
import { invariant } from '../../core/errors.js';
import {
  answerTooLarge,
  traceTooLarge,
  type EthereumAccount,
  type EthereumApi,
  type EthereumFilters,
} from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import { refuseLongSequence } from '../../core/ethereum/call-sequence.js';
import { contentOf } from '../../core/ethereum/content.js';
import { refusedSimulation } from '../../core/ethereum/simulation.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { EvmOverride } from '../../core/evm/engine.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { PullStream } from '../../core/pull-stream.js';
import { wasNonceLowered } from '../../core/sdk/module/development-chain.js';
import { EMPTY_STATE } from '../../core/state/overlay.js';
import type { StateReader } from '../../core/state/state.js';
import { createStateReader, HeightPruned } from '../../store/state/latest.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { ChainViews } from '../compose/chain-views.js';
import type { PublishedCommit } from '../push/shown-commits.js';
import type { Pool } from '../../runtime/pool/pool.js';
import { releasedAtEnd, streamOf } from '../../runtime/pool/pull-streams.js';
import type { ChangedState, TraceTask } from '../../runtime/pool/protocol.js';
import { createLightCalls } from './light-call.js';
import type { DevApi } from '../dev/dev-api.js';
import type { DevKeys } from './dev-keys.js';
import { blocksOf, touching } from './blocks-of.js';
import { HeadAccounts } from './head-accounts.js';
import type { PendingBlock, PendingBlocks } from './pending-blocks.js';
import { createSends } from './send.js';
import type { SenderRecovery } from '../../runtime/recovery/sender-recovery.js';
import type { SendsInBlocks } from './sends-in-blocks.js';
import { createTokenStorage } from './token-storage.js';

export interface EthereumApiOptions {
  readonly views: Pick<ChainViews, 'chain' | 'ledger' | 'latest' | 'prices' | 'ethereumBlocks'>;
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly crypto: Crypto;
  readonly senders: Pick<SenderRecovery, 'recover'>;
  readonly limits: Pick<Limits, 'txBytes' | 'ethTraceBytes' | 'ethTracesAtOnce' | 'searchRows'>;
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  readonly sends: Pick<SendsInBlocks, 'wait'>;
  readonly commits: Observable<PublishedCommit>;
  readonly pool: Pool;
  readonly filters: EthereumFilters;
  readonly keys: DevKeys;
  /** undefined outside dev mode. */
  readonly dev: Omit<DevApi, 'stop'> | undefined;
  /** Makes the block `pending`; undefined outside of dev mode. */
  readonly pending: PendingBlocks | undefined;
  /** The block in which the gas of a call is estimated at the head: the head, at the time of the next block. */
  readonly trial: () => BlockContext;
  /** The engine outside that makes the blocks. */
  readonly engine: EngineQueries | undefined;
  /** Raw transactions without a chain id are admitted. */
  readonly allowUnprotected: boolean;
  /** wei: the highest fee of a transaction that is sent; 0 is no bound. */
  readonly txFeeCap: bigint;
}

/** The trace of a call whose block is gone. */
const REVERTED = { ok: false, message: 'block not found' } as const;

/** The node's implementation of `EthereumApi`; undefined for an application without an EVM. */
export function createEthereumApi(options: EthereumApiOptions): EthereumApi | undefined {
  const { views, store, crypto, mempool, pool, keys } = options;
  const { ledger, latest, prices, ethereumBlocks: blocks } = views;
  const { ethereum } = views.chain.application;
  const { evmChainId, baseDenom, weiDenom = baseDenom, tokens } = views.chain.chain;
  if (ethereum === undefined || blocks === undefined) return undefined;

  // An engine's cache belongs to one reader, so each head has a new reader, even at a height that was used before.
  let headReader: { readonly of: Ledger['state']; readonly reader: StateReader } | undefined;
  const latestState = (): StateReader => {
    if (headReader?.of !== ledger.state) headReader = { of: ledger.state, reader: { ...latest } };
    return headReader.reader;
  };
  const headAccounts = new HeadAccounts();
  const light = createLightCalls({
    ethereum,
    latest: latestState,
    tokens: [...(tokens?.native ?? []), ...(tokens?.dynamic ?? [])],
  });
  const stateAt = (height: Height): StateReader => {
    if (height === ledger.state.height) return latestState();
    const points = createStateReader(store, height);
    return { ...EMPTY_STATE, get: (name, key) => points.get(name, key) };
  };
  const pendingAt = (height: Height): PendingBlock | undefined => options.pending?.at(height);
  const contextAt = (height: Height): BlockContext => pendingAt(height)?.context ?? ledger.context(height);
  const read = <Value>(height: Height, run: (state: StateReader, at: BlockContext) => Value): Outcome<Value> => {
    const pending = pendingAt(height);
    if (pending !== undefined) return { ok: true, value: run(pending.state, pending.context) };
    if (height > ledger.state.height)
      return { ok: false, error: { code: 'height-in-future', height, head: ledger.state.height } };
    try {
      return { ok: true, value: run(stateAt(height), ledger.context(height)) };
    } catch (error) {
      if (error instanceof HeightPruned)
        return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
      throw error;
    }
  };
  /** The request by which a block was executed, and the height of the state before it. */
  const executedBlock = (
    height: Height,
  ): { readonly request: FinalizeBlockRequest; readonly before: Height } | undefined => {
    const before = toHeight(height - 1n);
    const pending = pendingAt(height);
    if (pending !== undefined) return { request: pending.request, before };
    const stored = height < 1n ? undefined : ledger.block(height);
    if (stored === undefined) return undefined;
    const state = { ...ledger.state, lastValidators: ledger.validators(before) };
    // traces name the hash that the block has on this face
    const hash = blocks.block(height)?.hash ?? stored.blockId.hash;
    return { request: finalizeRequest(crypto, state, stored.block, hash), before };
  };
  /** Place of a transaction by its hash, in the block `pending` too. */
  const placeOf = (hash: Uint8Array): { readonly height: Height; readonly index: number } | undefined => {
    const decided = ledger.place(hash);
    if (decided !== undefined || options.pending === undefined) return decided;
    const height = options.pending.height();
    const index = pendingAt(height)?.indexOf(hash);
    return index === undefined ? undefined : { height, index };
  };
  let traces = 0;
  const tooManyTraces = {
    ok: false,
    error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: options.limits.ethTracesAtOnce },
  } as const;
  /** Traces are long to make and long as texts: few may run or wait at a time. Gives the place of a trace back. */
  const takePlace = (): (() => void) | undefined => {
    if (traces >= options.limits.ethTracesAtOnce) return undefined;
    traces += 1;
    return () => {
      traces -= 1;
    };
  };
  const tracing = async <Value>(trace: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    const release = takePlace();
    if (release === undefined) return tooManyTraces;
    try {
      return await trace();
    } finally {
      release();
    }
  };
  /** Counts as `tracing` does, until the stream has ended. */
  const streaming = async <Item>(
    start: () => Promise<Outcome<PullStream<Item>>>,
  ): Promise<Outcome<PullStream<Item>>> => {
    const release = takePlace();
    if (release === undefined) return tooManyTraces;
    let started: Outcome<PullStream<Item>> | undefined;
    try {
      started = await start();
      return started.ok ? { ok: true, value: releasedAtEnd(started.value, release) } : started;
    } finally {
      if (started?.ok !== true) release();
    }
  };
  /** The task that traces a call, and its context; undefined where the block was reverted meanwhile. */
  const callTrace = (
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    trace: string,
    hash: Uint8Array | undefined,
  ):
    | readonly [Extract<TraceTask, { readonly kind: 'trace-call' }>, BlockContext, ChangedState | undefined]
    | undefined => {
    const task = {
      kind: 'trace-call',
      call,
      overrides,
      block,
      options: trace,
      maxBytes: options.limits.ethTraceBytes,
    } as const;
    const context = contextAt(height);
    if (hash === undefined) return [{ ...task, within: undefined }, context, pendingAt(height)?.changed];
    const index = placeOf(hash)?.index;
    const executed = executedBlock(height);
    if (index === undefined || executed === undefined) return undefined;
    return [
      { ...task, within: { block: executed.request, index } },
      { ...context, height: executed.before },
      undefined,
    ];
  };
  /** The task that traces transactions of one block, and its context; undefined without one of them. */
  const blockTraces = (
    hashes: readonly Uint8Array[],
    trace: string,
    maxBytes: number,
  ): readonly [Extract<TraceTask, { readonly kind: 'trace-transactions' }>, BlockContext] | undefined => {
    const places = hashes.flatMap((hash) => placeOf(hash) ?? []);
    const height = places[0]?.height;
    const executed = height === undefined ? undefined : executedBlock(height);
    if (height === undefined || executed === undefined) return undefined;
    const { request: block, before } = executed;
    const indices = places.map(({ index }) => index);
    return [
      { kind: 'trace-transactions', block, indices, options: trace, maxBytes },
      { ...contextAt(height), height: before },
    ];
  };
  const sends = createSends({
    crypto,
    senders: options.senders,
    baseDenom: weiDenom,
    limits: options.limits,
    mempool,
    isMined: (hash) => ledger.place(hash) !== undefined,
    accountOf: (address) => ethereum.account(latestState(), ledger.context(ledger.state.height), address),
    mayRepeat: () => wasNonceLowered(latest),
    allowUnprotected: options.allowUnprotected,
    txFeeCap: options.txFeeCap,
  });

  const api: Omit<EthereumApi, 'dev'> = {
    chainId: evmChainId,
    engine: options.engine,
    fork: ethereum.fork,
    leastTip: ethereum.leastTip,
    blockNumber: () => ledger.state.height,
    earliestBlock: () => (ledger.isWhole() ? toHeight(0n) : ledger.earliestHeight()),
    earliestState: () => ledger.earliestState(),
    block: (height) => pendingAt(height)?.block ?? blocks.block(height),
    heightOfBlock: (hash) => blocks.heightOf(hash),
    makePending: () => options.pending?.make(),
    pendingHeight: () => options.pending?.height() ?? ledger.state.height,
    transaction: (hash) => blocks.transaction(hash),
    pending(hash) {
      const transaction = mempool.view.get(upperHex(hash));
      return transaction && contentOf(crypto, transaction.tx);
    },
    pendingTransactions: (place) => mempool.view.entries(place).flatMap(({ tx }) => contentOf(crypto, tx) ?? []),
    pendingNonce: (address) => mempool.view.nextNonce(hex(address)),

    account(address, height) {
      if (height !== ledger.state.height) return read(height, (state, at) => ethereum.account(state, at, address));
      const atHead = (): EthereumAccount => ethereum.account(latestState(), ledger.context(height), address);
      return { ok: true, value: headAccounts.get(ledger.state, address, atHead) };
    },
    code: (address, height) => read(height, (state, at) => ethereum.code(state, at, address)),
    codeOf: (hash, height) => read(height, (state, at) => ethereum.codeOf(state, at, hash)),
    storage: (address, slot, height) => read(height, (state, at) => ethereum.storage(state, at, address, slot)),

    call(call, height, overrides, block) {
      const context = contextAt(height);
      const answer = height === ledger.state.height ? light.call(call, context, overrides, block) : undefined;
      return answer === undefined
        ? pool.run({ kind: 'call', call, overrides, block }, context, pendingAt(height)?.changed)
        : { ok: true, value: answer };
    },
    estimateGas(call, height, overrides, block) {
      const isAtHead = height === ledger.state.height;
      const context = isAtHead ? options.trial() : contextAt(height);
      const answer = isAtHead ? light.estimateGas(call, context, overrides, block) : undefined;
      return answer === undefined
        ? pool.run({ kind: 'estimate', call, overrides, block }, context, pendingAt(height)?.changed)
        : { ok: true, value: answer };
    },
    createAccessList: (call, height, overrides) =>
      pool.run({ kind: 'access-list', call, overrides }, contextAt(height), pendingAt(height)?.changed),
    traceCall: (call, height, overrides, block, trace, before) =>
      tracing(async () => {
        const traceTask = callTrace(call, height, overrides, block, trace, before);
        if (traceTask === undefined) return { ok: true, value: REVERTED };
        const traced = await pool.run<'trace-call'>(...traceTask);
        if (!traced.ok) return traced;
        const [made] = traced.value ?? [];
        return { ok: true, value: made ?? { ok: false, message: traceTooLarge(options.limits.ethTraceBytes) } };
      }),
    streamCallTrace: (call, height, overrides, block, trace, before) =>
      streaming(async () => {
        const traceTask = callTrace(call, height, overrides, block, trace, before);
        return traceTask === undefined
          ? { ok: true, value: streamOf([{ kind: 'end', trace: REVERTED } as const]) }
          : pool.stream(...traceTask);
      }),
    proof: (address, slots, height) =>
      pool.run({ kind: 'eth-proof', address, slots }, contextAt(height), pendingAt(height)?.changed),
    async slotsAt(height, before, address) {
      const executed = executedBlock(height);
      if (executed === undefined) return { ok: true, value: [] };
      const index = before === undefined ? 0 : (placeOf(before)?.index ?? 0);
      const task = { kind: 'eth-slots', block: executed.request, index, address } as const;
      return pool.run(task, { ...contextAt(height), height: executed.before });
    },
    async accountAfter(transaction, address) {
      const place = placeOf(transaction);
      const executed = place && executedBlock(place.height);
      if (place === undefined || executed === undefined) return { ok: true, value: undefined };
      const task = { kind: 'eth-account', block: executed.request, index: place.index + 1, address } as const;
      return pool.run(task, { ...contextAt(place.height), height: executed.before });
    },
    callSequence: (sequence, height) =>
      tracing(async () => {
        const refused = refuseLongSequence(sequence);
        if (refused !== undefined) return { ok: true, value: refused };
        const { ethTraceBytes: maxBytes } = options.limits;
        const task = { kind: 'eth-calls', sequence, maxBytes } as const;
        const called = await pool.run(task, contextAt(height), pendingAt(height)?.changed);
        if (!called.ok) return called;
        return { ok: true, value: called.value ?? refusedSimulation('plain', answerTooLarge(maxBytes)) };
      }),
    simulate: (simulation, height, maxBytes) =>
      pool.run({ kind: 'eth-simulate', simulation, maxBytes }, contextAt(height), pendingAt(height)?.changed),
    async traceTransactions(hashes, trace, maxBytes) {
      const task = blockTraces(hashes, trace, maxBytes);
      return task === undefined ? { ok: true, value: [] } : tracing(() => pool.run<'trace-transactions'>(...task));
    },
    async streamTraces(hashes, trace) {
      const task = blockTraces(hashes, trace, options.limits.ethTraceBytes);
      return task === undefined ? { ok: true, value: streamOf([]) } : streaming(() => pool.stream(...task));
    },
    abandonedSince: (position) => blocks.abandonedSince(position),
    isInMemory: (height) => blocks.has(height),
    candidateBlocks: (from, to, addresses, topics) => blocks.candidates(from, to, addresses, topics),

    blocksOf: (account) => blocksOf(account, { crypto, ledger, blocks, limits: options.limits }),
    touching: (account, height) => touching(account, height, { crypto, ledger }),

    nextBaseFee(height) {
      const pending = height === undefined ? undefined : pendingAt(height);
      return pending === undefined ? prices.nextBaseFee() : ethereum.nextBaseFee(pending.state, pending.context);
    },
    quotedBaseFee: prices.quotedBaseFee,
    lowestGasPrice: prices.lowest,
    sendRawTransaction: sends.raw,
    inBlock: (hash) => options.sends.wait(hash),
    accounts: () => keys.addresses(),
    signDigest: (address, digest) => keys.sign(address, digest),
    filters: options.filters,
    onBlock(listener) {
      const subscription = options.commits.subscribe(({ height, position }) => {
        if (height === undefined) return;
        const block = blocks.block(height);
        invariant(block !== undefined, 'a published block can be read');
        listener(block, position);
      });
      return () => subscription.unsubscribe();
    },
  };
  const { dev } = options;
  if (dev === undefined) return { ...api, dev };
  return {
    ...api,
    dev: {
      ...dev,
      ...createTokenStorage({ crypto, ethereum: api, commands: dev }),
      sendUnsigned: sends.unsigned,
      holdKey: (privateKey) => keys.hold(privateKey),
      releaseKey: (address) => keys.release(address),
    },
  };
}
