import type { EngineQueries } from '../../core/comet/engine-queries.js';
import type { Observable } from 'rxjs';
import type { Mempool } from '../../actors/mempool/mempool.js';
import { hex, upperHex } from '../../core/bytes/hex.js';
import type { BlockContext } from '../../core/application-requests.js';
import { invariant } from '../../core/errors.js';
import type { EthereumAccount, EthereumApi, EthereumFilters } from '../../core/ethereum/api.js';
import { contentOf } from '../../core/ethereum/content.js';
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { wasNonceLowered } from '../../core/sdk/module/development-chain.js';
import { EMPTY_STATE } from '../../core/state/overlay.js';
import type { StateReader } from '../../core/state/state.js';
import { createStateReader, HeightPruned } from '../../store/state/latest.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { ChainViews } from '../compose/chain-views.js';
import type { PublishedCommit } from '../push/shown-commits.js';
import type { Pool } from '../../runtime/pool/pool.js';
import { createLightCalls } from './light-call.js';
import type { DevApi } from '../dev/dev-api.js';
import type { DevKeys } from './dev-keys.js';
import { blocksOf, touching } from './blocks-of.js';
import { createExecutedBlocks } from './executed-blocks.js';
import { HeadAccounts } from './head-accounts.js';
import type { PendingBlocks } from './pending-blocks.js';
import { createSends } from './send.js';
import type { SenderRecovery } from '../../runtime/recovery/sender-recovery.js';
import type { SendsInBlocks } from './sends-in-blocks.js';
import { createTokenStorage } from './token-storage.js';
import { createTraces } from './traces.js';

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
  /** Builds the block of the tag `pending`; undefined outside of dev mode. */
  readonly pending: PendingBlocks | undefined;
  /** Block context of gas estimates at the head: the head with the time of the next block. */
  readonly trial: () => BlockContext;
  /** Queries to the external engine, if one makes the blocks. */
  readonly engine: EngineQueries | undefined;
  /** Admits raw transactions without a chain id. */
  readonly allowUnprotected: boolean;
  /** Highest fee in wei of a sent transaction; 0 means no limit. */
  readonly txFeeCap: bigint;
}

/** Creates the node's `EthereumApi`; undefined for an application without an EVM. */
export function createEthereumApi(options: EthereumApiOptions): EthereumApi | undefined {
  const { views, store, crypto, mempool, pool, keys } = options;
  const { ledger, latest, prices, ethereumBlocks: blocks } = views;
  const { ethereum } = views.chain.application;
  const { evmChainId, baseDenom, weiDenom = baseDenom, tokens } = views.chain.chain;
  if (ethereum === undefined || blocks === undefined) return undefined;

  // The EVM engine caches by reader object, so each head gets a new reader, even if its height was used before a
  // revert.
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
  const executedBlocks = createExecutedBlocks({ ledger, blocks, crypto, pending: options.pending });
  const { pendingAt, contextAt, executedBlock, placeOf } = executedBlocks;
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
  const sends = createSends({
    crypto,
    senders: options.senders,
    baseDenom: weiDenom,
    limits: options.limits,
    mempool,
    isMined: (hash) => ledger.place(hash) !== undefined,
    accountOf: (address) => ethereum.account(latestState(), ledger.context(ledger.state.height), address),
    mayRepeat: () => wasNonceLowered(latest),
    revertEnded: async () => options.dev?.revertEnded(),
    allowUnprotected: options.allowUnprotected,
    txFeeCap: options.txFeeCap,
  });

  const api: Omit<EthereumApi, 'dev'> = {
    chainId: evmChainId,
    engine: options.engine,
    fork: ethereum.fork,
    minTip: ethereum.minTip,
    blockNumber: () => ledger.state.height,
    earliestBlock: () => (ledger.isWhole() ? genesisHeight(ledger.genesis().initialHeight) : ledger.earliestHeight()),
    firstBlock: () => ledger.genesis().initialHeight,
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
    ...createTraces({ ...executedBlocks, pool, limits: options.limits }),
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
    async changedBy(transaction) {
      const place = placeOf(transaction);
      const executed = place && executedBlock(place.height);
      if (place === undefined || executed === undefined) return { ok: true, value: undefined };
      const task = { kind: 'changed-rows', block: executed.request, index: place.index } as const;
      const changed = await pool.run(task, { ...contextAt(place.height), height: executed.before });
      return changed.ok ? { ok: true, value: { ...place, rows: changed.value } } : changed;
    },
    simulate: (simulation, height, maxBytes) =>
      pool.run({ kind: 'eth-simulate', simulation, maxBytes }, contextAt(height), pendingAt(height)?.changed),
    abandonedSince: (position) => blocks.abandonedSince(position),
    isInMemory: (height) => blocks.has(height),
    candidateBlocks: (from, to, addresses, topics) => blocks.candidates(from, to, addresses, topics),

    blocksOf: (account, from, to) => blocksOf(account, from, to, { crypto, ledger, blocks, limits: options.limits }),
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
      startAccounts: () => keys.ofStart().flatMap(({ address, isHeld }) => (isHeld ? [address] : [])),
    },
  };
}
