/** A node of five blocks behind `EthereumApi`, on which the face is tested. Transactions are really signed. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type {
  AccessListResult,
  EthereumApi,
  EthereumCallResult,
  EthereumPendingTransaction,
  EstimateResult,
  FilterChanges,
  FilterCriteria,
  LogCriteria,
  TracePart,
  PacketCommands,
} from '../../../src/core/ethereum/api.js';
import type {
  EthereumBlock,
  EthereumBlockTransaction,
  EthereumReceipt,
} from '../../../src/core/ethereum/block-view.js';
import { bloomOfLogs, unionOfBlooms } from '../../../src/core/ethereum/bloom.js';
import { bytesOfDigits } from '../../../src/core/bytes/hex.js';
import { matchesLog } from '../../../src/core/ethereum/log-match.js';
import { orderedTrieRoot } from '../../../src/core/ethereum/ordered-trie.js';
import { encodeReceipt } from '../../../src/core/ethereum/receipt-encoding.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { effectiveGasPrice, signingHash } from '../../../src/core/ethereum/transaction-sender.js';
import type { CallSequenceResult } from '../../../src/core/ethereum/call-sequence.js';
import type { SimulationResult } from '../../../src/core/ethereum/simulation.js';
import type { StorageSlot } from '../../../src/core/ethereum/state-proof.js';
import type { EthereumTransaction } from '../../../src/core/ethereum/transaction.js';
import type { UnsignedTransaction } from '../../../src/core/ethereum/unsigned.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { type Height, toHeight, toPosition } from '../../../src/core/primitives.js';
import { streamOf } from '../../../src/runtime/pool/pull-streams.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { fakeDev, type FakeDev } from './fake-dev.js';

export const crypto = createPureCrypto();
export const CHAIN_ID = 9_000n;
const BASE_FEE = 1_000_000_000n;

const KEY = new Uint8Array(32).fill(7);
export const SENDER = crypto.keccak256(secp256k1.getPublicKey(KEY, false).slice(1)).slice(12);
export const OTHER = new Uint8Array(20).fill(0x22);
export const CONTRACT = new Uint8Array(20).fill(0xcc);
export const TOPIC = new Uint8Array(32).fill(0xaa);
export const SECOND_TOPIC = new Uint8Array(32).fill(0xbb);

export function bytes(digits: string): Uint8Array {
  return bytesOfDigits(digits) ?? new Uint8Array(0);
}

function signDigest(digest: Uint8Array): { readonly r: bigint; readonly s: bigint; readonly yParity: 0 | 1 } {
  const signature = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest, KEY, { prehash: false, format: 'recovered' }),
    'recovered',
  );
  return { r: signature.r, s: signature.s, yParity: signature.recovery === 1 ? 1 : 0 };
}

export function signed(unsigned: UnsignedTransaction): EthereumTransaction {
  return { ...unsigned, ...signDigest(signingHash(crypto, unsigned)) };
}

interface Executed {
  readonly transaction: EthereumTransaction;
  readonly failed?: boolean;
  readonly logs?: readonly {
    readonly address: Uint8Array;
    readonly topics: readonly Uint8Array[];
    readonly data: Uint8Array;
  }[];
}

export function makeBlock(number: bigint, executed: readonly Executed[]): EthereumBlock {
  let cumulativeGasUsed = 0n;
  let logIndex = 0;
  const transactions = executed.map(({ transaction, failed = false, logs = [] }, index): EthereumBlockTransaction => {
    cumulativeGasUsed += 21_000n;
    const raw = encodeTransaction(transaction);
    const receipt: EthereumReceipt = {
      status: failed ? 'failed' : 'success',
      gasUsed: 21_000n,
      cumulativeGasUsed,
      effectiveGasPrice: effectiveGasPrice(transaction, BASE_FEE),
      contractAddress: transaction.to === undefined ? CONTRACT : undefined,
      logs: logs.map((log) => ({ ...log, logIndex: logIndex++ })),
      logCount: logs.length,
      logsBloom: bloomOfLogs(crypto, logs),
      output: new Uint8Array(0),
      failure: failed ? { message: 'execution reverted', data: new Uint8Array(0) } : undefined,
    };
    return {
      hash: crypto.keccak256(raw),
      consensusHash: crypto.sha256(raw),
      raw,
      from: SENDER,
      transaction,
      index,
      receipt,
    };
  });
  return {
    height: toHeight(number),
    hash: hashOfBlock(number),
    consensusHash: crypto.sha256(hashOfBlock(number)),
    parentHash: number === 0n ? new Uint8Array(32) : hashOfBlock(number - 1n),
    timestamp: 1_800_000_000n + number,
    miner: OTHER,
    mixHash: new Uint8Array(32),
    stateRoot: new Uint8Array(32).fill(1),
    transactionsRoot: orderedTrieRoot(
      crypto,
      transactions.map(({ raw }) => raw),
    ),
    receiptsRoot: orderedTrieRoot(
      crypto,
      transactions.map(({ transaction, receipt }) => encodeReceipt(transaction.type, receipt)),
    ),
    gasLimit: 30_000_000n,
    gasUsed: cumulativeGasUsed,
    baseFeePerGas: BASE_FEE,
    logsBloom: unionOfBlooms(transactions.map(({ receipt }) => receipt.logsBloom)),
    size: 700,
    transactions,
  };
}

function hashOfBlock(number: bigint): Uint8Array {
  return crypto.sha256(new TextEncoder().encode(`block ${number}`));
}

const common = { gasLimit: 100_000n, to: OTHER, value: 5n, data: bytes('abcd'), chainId: CHAIN_ID };
const dynamic = { ...common, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n, accessList: [] };
const aLog = { address: CONTRACT, topics: [TOPIC, SECOND_TOPIC], data: bytes('01') };

export const transfer = signed({ ...common, type: 0, nonce: 0n, gasPrice: 2_000_000_000n });

function firstBlocks(): readonly EthereumBlock[] {
  return [
    makeBlock(0n, []),
    makeBlock(1n, []),
    makeBlock(2n, [{ transaction: transfer, logs: [aLog] }]),
    makeBlock(3n, [
      { transaction: signed({ ...dynamic, type: 2, nonce: 1n }), failed: true },
      {
        transaction: signed({ ...dynamic, type: 2, nonce: 2n, to: undefined }),
        logs: [aLog, { ...aLog, topics: [TOPIC], address: OTHER }],
      },
    ]),
    makeBlock(4n, [
      {
        transaction: signed({
          ...common,
          type: 1,
          nonce: 3n,
          gasPrice: 2_000_000_000n,
          accessList: [{ address: OTHER, storageKeys: [TOPIC] }],
        }),
      },
      {
        transaction: signed({
          ...dynamic,
          type: 4,
          nonce: 4n,
          authorizations: [{ chainId: CHAIN_ID, address: CONTRACT, nonce: 9n, yParity: 1, r: 5n, s: 6n }],
        }),
        logs: [{ ...aLog, topics: [] }],
      },
    ]),
  ];
}

/** Controls of a test, and a record of the face's calls. */
export interface FakeNode {
  readonly api: EthereumApi;
  readonly blocks: EthereumBlock[];
  readonly pending: EthereumPendingTransaction[];
  readonly queued: EthereumPendingTransaction[];
  readonly asked: {
    calls: unknown[][];
    estimates: unknown[][];
    sent: Uint8Array[];
    traces: string[];
    simulations: unknown[][];
    sequences: unknown[][];
    dev: unknown[][];
  };
  call: (() => Promise<Outcome<EthereumCallResult>>) | undefined;
  estimate: Outcome<EstimateResult>;
  accessList: AccessListResult;
  sends: Outcome<Uint8Array> | undefined;
  /** The inclusion that a sender waits for. */
  inBlock: Promise<Outcome<undefined>> | undefined;
  simulation: SimulationResult;
  sequence: CallSequenceResult;
  slots: readonly StorageSlot[];
  /** JSON of each trace. */
  trace: string;
  /** The parts in which each trace is streamed; undefined streams `trace` whole. */
  parts: readonly TracePart[] | undefined;
  /** False: the chain was reverted below the traced block. */
  traced: boolean;
  /** The lowest block that is kept. */
  lowest: Height;
  readonly dev: FakeDev;
  append(executed: readonly Executed[]): void;
}

export function fakeNode(
  options: {
    readonly dev?: boolean | 'plain';
    readonly packets?: PacketCommands;
    readonly filterCap?: number;
    readonly lowestGasPrice?: bigint;
    readonly nextBaseFee?: bigint;
    readonly minTip?: bigint;
  } = {},
): FakeNode {
  const isDev = options.dev === true || options.dev === 'plain';
  const blocks = [...firstBlocks()];
  const pending: EthereumPendingTransaction[] = [];
  const queued: EthereumPendingTransaction[] = [];
  const asked: FakeNode['asked'] = {
    calls: [],
    estimates: [],
    sent: [],
    traces: [],
    simulations: [],
    sequences: [],
    dev: [],
  };
  const listeners = new Set<(block: EthereumBlock) => void>();
  const filters = new Map<string, { readonly criteria: FilterCriteria; cursor: bigint }>();
  const head = (): Height => toHeight(BigInt(blocks.length) - 1n);
  const changesOf = (filter: { readonly criteria: FilterCriteria; cursor: bigint }): FilterChanges => {
    const heights = blocks.map(({ height }) => height).filter((height) => height > filter.cursor);
    if (filter.criteria.kind === 'logs')
      return { kind: 'logs', criteria: filter.criteria.criteria, from: toHeight(filter.cursor + 1n), to: head() };
    return filter.criteria.kind === 'block'
      ? { kind: 'blocks', heights }
      : { ...filter.criteria, hashes: pending.map(({ hash }) => hash) };
  };
  const done = <Value>(value: Value): Promise<Outcome<Value>> => Promise.resolve({ ok: true, value });
  const devState: FakeDev = {
    held: isDev ? [SENDER] : [],
    isWaiting: true,
    takesTransactions: options.dev !== 'plain',
  };
  const dev = fakeDev(asked.dev, hashOfBlock(99n), devState);
  const node: FakeNode = {
    blocks,
    pending,
    queued,
    asked,
    call: undefined,
    estimate: { ok: true, value: { kind: 'gas', gas: 21_000n } },
    accessList: { kind: 'list', accessList: [{ address: OTHER, storageKeys: [TOPIC] }], gasUsed: 30_000n },
    sends: undefined,
    inBlock: undefined,
    simulation: { kind: 'blocks', json: '[]' },
    sequence: { kind: 'done', blocks: [], coinbaseBefore: 0n, traces: [] },
    slots: [],
    trace: '{"type":"CALL"}',
    parts: undefined,
    traced: true,
    lowest: toHeight(0n),
    dev: devState,
    append(executed) {
      const block = makeBlock(BigInt(blocks.length), executed);
      blocks.push(block);
      for (const listener of listeners) listener(block);
    },
    api: {
      abandonedSince: () => [],
      touching: () => [],
      chainId: CHAIN_ID,
      fork: 'osaka',
      minTip: options.minTip ?? 1n,
      blockNumber: head,
      earliestBlock: () => node.lowest,
      firstBlock: () => toHeight(1n),
      earliestState: () => toHeight(0n),
      block: (height) => blocks[Number(height)],
      makePending: () => undefined,
      pendingHeight: head,
      heightOfBlock: (hash) => blocks.find((block) => same(block.hash, hash))?.height,
      transaction(hash) {
        for (const block of blocks)
          for (const transaction of block.transactions)
            if (same(transaction.hash, hash) || same(transaction.consensusHash, hash)) return { block, transaction };
        return undefined;
      },
      pending: (hash) => [...pending, ...queued].find((one) => same(one.hash, hash)),
      pendingTransactions: (place) => (place === 'pending' ? pending : queued),
      pendingNonce: () => 5n + BigInt(asked.sent.length),
      account: (address) => ({
        ok: true,
        value: same(address, SENDER)
          ? { balance: 10n ** 20n, nonce: 5n, codeHash: new Uint8Array(32) }
          : { balance: 0n, nonce: 0n, codeHash: new Uint8Array(32) },
      }),
      code: (address) => ({ ok: true, value: same(address, CONTRACT) ? bytes('6001') : new Uint8Array(0) }),
      codeOf: (hash) => ({ ok: true, value: same(hash, TOPIC) ? bytes('6001') : undefined }),
      storage: (_address, slot) => ({ ok: true, value: slot }),
      call(...args) {
        asked.calls.push(args);
        return node.call?.() ?? done({ kind: 'success', output: bytes('2a'), gasUsed: 21_000n, logs: [] });
      },
      estimateGas(...args) {
        asked.estimates.push(args);
        return Promise.resolve(node.estimate);
      },
      createAccessList(...args) {
        asked.calls.push(args);
        return done(node.accessList);
      },
      traceTransactions(hashes, config, maxBytes) {
        asked.traces.push(config);
        const traces = hashes.filter(() => node.traced).map(() => ({ ok: true, json: node.trace }) as const);
        return done(traces.reduce((sum, { json }) => sum + json.length, 0) > maxBytes ? undefined : traces);
      },
      traceCall: (...args) => (
        asked.calls.push(args),
        asked.traces.push(args[4]),
        done({ ok: false, message: 'the engine refuses' })
      ),
      streamTraces(hashes, config) {
        asked.traces.push(config);
        const parts = hashes
          .filter(() => node.traced)
          .flatMap((): readonly TracePart[] => node.parts ?? [{ kind: 'end', trace: { ok: true, json: node.trace } }]);
        return done(streamOf(parts));
      },
      streamCallTrace: (...args) => (
        asked.calls.push(args),
        asked.traces.push(args[4]),
        done(streamOf([{ kind: 'end', trace: { ok: false, message: 'the engine refuses' } }] as const))
      ),
      simulate: (simulation, height, maxBytes) => (
        asked.simulations.push([simulation, height, maxBytes]),
        done(node.simulation)
      ),
      proof: (_address, slots) =>
        done({
          balance: 10n ** 20n,
          nonce: 5n,
          codeHash: new Uint8Array(32),
          storageHash: new Uint8Array(32),
          accountProof: [bytes('c0')],
          storageProof: slots.map((slot) => ({ slot, value: 7n, proof: [bytes('c1'), bytes('c2')] })),
        }),
      callSequence: (...args) => (asked.sequences.push(args), done(node.sequence)),
      accountAfter: (...args) => (asked.calls.push(args), done({ balance: 7n, nonce: 1n, code: bytes('6001') })),
      changedBy: () => done(undefined),
      slotsAt: (...args) => (asked.calls.push(args), done(node.slots)),
      blocksOf: () => done(blocks.map(({ height }) => height)),
      isInMemory: () => true,
      candidateBlocks: (from, to, addresses, topics) => done(candidates(blocks, from, to, { addresses, topics })),
      nextBaseFee: () => options.nextBaseFee ?? BASE_FEE,
      quotedBaseFee: () => options.nextBaseFee ?? BASE_FEE,
      lowestGasPrice: () => options.lowestGasPrice ?? 0n,
      sendRawTransaction(raw) {
        asked.sent.push(raw);
        return Promise.resolve(node.sends ?? { ok: true, value: crypto.keccak256(raw) });
      },
      inBlock: () => node.inBlock,
      accounts: () => devState.held,
      signDigest: (address, digest) => (isDev && same(address, SENDER) ? signDigest(digest) : undefined),
      dev: isDev ? { ...dev, packets: options.packets } : undefined,
      filters: {
        create(criteria) {
          if (filters.size >= (options.filterCap ?? 100))
            return Promise.resolve({
              ok: false,
              error: { code: 'limit-exceeded', limit: 'filters', maximum: options.filterCap ?? 100 },
            });
          const id = `00${(filters.size + 1).toString(16).padStart(30, 'a')}`;
          filters.set(id, { criteria, cursor: head() });
          return done(id);
        },
        async poll(id, read) {
          const filter = filters.get(id);
          if (filter === undefined) return { ok: true, value: undefined };
          const answer = await read(changesOf(filter));
          if (!answer.ok) return answer;
          filter.cursor = answer.value.through ?? head();
          return { ok: true, value: answer.value.value };
        },
        criteria: (id) => filters.get(id)?.criteria,
        uninstall: (id) => done(filters.delete(id)),
      },
      onBlock(listener) {
        const heard = (block: EthereumBlock): void => listener(block, toPosition(block.height));
        listeners.add(heard);
        return () => listeners.delete(heard);
      },
    },
  };
  return node;
}

function candidates(
  blocks: readonly EthereumBlock[],
  from: Height,
  to: Height,
  terms: Pick<LogCriteria, 'addresses' | 'topics'>,
): readonly Height[] {
  const holds = (block: EthereumBlock): boolean =>
    block.transactions.some(({ receipt }) => receipt.logs.some((log) => matchesLog(terms, log)));
  return blocks
    .filter((block) => block.height >= from && block.height <= to && holds(block))
    .map(({ height }) => height);
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
