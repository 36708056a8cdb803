import {
  createEthereumSubscriptions,
  type EthereumSubscriptions,
  type SubscriptionRequest,
} from '../../../../src/adapters/eth-rpc/subscriptions/index.js';
import { hexData } from '../../../../src/core/bytes/hex.js';
import type { EthereumPendingTransaction, LogCriteria } from '../../../../src/core/ethereum/api.js';
import type { EthereumBlock, EthereumLog } from '../../../../src/core/ethereum/block-view.js';
import type { Limits } from '../../../../src/core/limits/limits.js';
import { toHeight, toPosition } from '../../../../src/core/primitives.js';
import type { Criteria, ShownCommit } from '../../../../src/core/subscriptions/index.js';
import type { Entry, EthereumInterest } from '../../../../src/testing/index.js';
import { crypto } from '../../../store/support.js';
import { EngineNode, FakeSocket, GONE, settle, TestLog } from '../../push/engine-node.js';

export { FakeSocket, GONE, settle };

export const addressOf = (number: number): Uint8Array => new Uint8Array(20).fill(number);
export const topicOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

export interface LogSpec {
  readonly address: number;
  readonly topic: number;
}

interface Block {
  readonly kind: 'block';
  readonly height: bigint;
  readonly position: bigint;
  readonly logs: readonly EthereumLog[];
}
interface Pending {
  readonly kind: 'pending';
  readonly hash: string;
  readonly position: bigint;
}
export type Fact = Block | Pending;

/** A subscription as it is requested from the node and as the model knows it. */
export interface Kind extends EthereumInterest<Fact> {
  readonly request: SubscriptionRequest;
}

const bytes = (length: number, seed: bigint | string): Uint8Array =>
  crypto.sha256(new TextEncoder().encode(String(seed))).slice(0, length);

/** Identifies the content of a notification, as a short text. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (result === null || typeof result !== 'object') return String(result);
  if ('logIndex' in result && 'blockNumber' in result)
    return `log ${Number(result.blockNumber)}.${Number(result.logIndex)}`;
  if ('number' in result) return `head ${Number(result.number)}`;
  return 'hash' in result ? `full ${String(result.hash)}` : 'unknown';
}

/** A node reduced to its published inputs and its push engine. */
export class DeliveryNode {
  /** The published commits, in order. */
  readonly history: Entry<Fact>[] = [];
  readonly source = new TestLog();
  engine!: EngineNode;
  hub!: EthereumSubscriptions;
  readonly #limits: Partial<Limits>;
  readonly #all: EngineNode[] = [];
  readonly #log: { readonly input: ShownCommit; readonly model: Block }[] = [];
  /** Blocks of the log that were published. */
  #shown = 0;
  #position = 0n;
  #draws = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = limits;
    this.restart();
  }

  get time(): EngineNode['time'] {
    return this.engine.time;
  }

  get pump(): EngineNode['pump'] {
    return this.engine.pump;
  }

  get defects(): readonly unknown[] {
    return this.#all.flatMap(({ defects, failures }) => [...defects, ...failures]);
  }

  /** A new process over the same log: sockets and subscriptions are gone, and the log is published. */
  restart(): void {
    this.engine?.stop();
    this.show();
    this.engine = new EngineNode(this.source, this.#limits);
    this.#all.push(this.engine);
    this.hub = createEthereumSubscriptions(this.engine.engine, {
      bytes: (length) => bytes(length, `id ${(this.#draws += 1)}`),
    });
  }

  /** Puts a block into the log without publishing it. */
  log(specs: readonly LogSpec[]): void {
    const height = BigInt(this.#log.length + 1);
    this.#position += 3n;
    const logs = specs.map(({ address, topic }, logIndex): EthereumLog => ({
      address: addressOf(address),
      topics: [topicOf(topic)],
      data: new Uint8Array(0),
      logIndex,
    }));
    const model: Block = { kind: 'block', height, position: this.#position, logs };
    const view = blockView(model);
    const position = toPosition(this.#position);
    const input: ShownCommit = { kind: 'commits', position, events: () => [], block: () => view };
    this.#log.push({ model, input });
    this.source.logged.push(input);
  }

  /** Publishes the blocks of the log that were not published yet. */
  show(): void {
    for (const { input, model } of this.#log.slice(this.#shown)) {
      this.history.push({ fact: model });
      this.#shown += 1;
      this.source.show(input);
    }
  }

  mine(specs: readonly LogSpec[] = []): void {
    this.log(specs);
    this.show();
  }

  admit(): void {
    this.#position += 3n;
    const transaction = pendingView(this.#position);
    const fact: Pending = { kind: 'pending', hash: hexData(transaction.hash), position: this.#position };
    this.history.push({ fact });
    this.source.add({ kind: 'admissions', position: toPosition(this.#position), transaction: () => transaction });
  }
}

function blockView({ height, logs }: Block): EthereumBlock {
  const logsBloom = new Uint8Array(256);
  const transaction = { ...pendingView(height).transaction };
  return {
    height: toHeight(height),
    hash: bytes(32, height),
    consensusHash: bytes(32, height),
    parentHash: bytes(32, height - 1n),
    timestamp: height,
    miner: addressOf(9),
    mixHash: new Uint8Array(32),
    stateRoot: bytes(32, 's'),
    transactionsRoot: bytes(32, 't'),
    receiptsRoot: bytes(32, 'r'),
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    baseFeePerGas: 1n,
    logsBloom,
    size: 1,
    transactions: [
      {
        hash: bytes(32, `tx ${height}`),
        consensusHash: bytes(32, `c ${height}`),
        from: addressOf(8),
        raw: new Uint8Array(0),
        transaction,
        index: 0,
        receipt: {
          status: 'success',
          gasUsed: 0n,
          cumulativeGasUsed: 0n,
          effectiveGasPrice: 1n,
          contractAddress: undefined,
          logs,
          logCount: logs.length,
          logsBloom,
          output: new Uint8Array(0),
          failure: undefined,
        },
      },
    ],
  };
}

function pendingView(seed: bigint): EthereumPendingTransaction {
  return {
    hash: bytes(32, `p ${seed}`),
    from: addressOf(8),
    transaction: {
      type: 0,
      chainId: 1n,
      nonce: seed,
      gasPrice: 1n,
      gasLimit: 21_000n,
      to: addressOf(7),
      value: 0n,
      data: new Uint8Array(0),
      r: 1n,
      s: 1n,
      yParity: 0,
    },
  };
}

const ANY = { fromBlock: undefined, toBlock: undefined, addresses: [], topics: [] } as const;
/** From now on, without cursors. */
const fromNow = (criteria: Criteria): SubscriptionRequest => ({ criteria, start: { kind: 'now' }, cursors: false });
const kind = (name: string, criteria: Criteria, texts: (fact: Fact) => readonly string[]): Kind => ({
  name,
  params: [name],
  request: fromNow(criteria),
  items: (fact) => texts(fact).map((key) => ({ key, place: 0 })),
});
const logs = (name: string, criteria: LogCriteria, accepts: (log: EthereumLog, height: bigint) => boolean): Kind => ({
  name,
  params: [name],
  request: fromNow({ kind: 'logs', criteria }),
  items: (fact) =>
    fact.kind === 'block'
      ? fact.logs
          .filter((log) => accepts(log, fact.height))
          .map(({ logIndex }) => ({ key: `log ${fact.height}.${logIndex}`, place: logIndex }))
      : [],
});
const addressIn = (log: EthereumLog): number => log.address[0] ?? 0;
const topicIn = (log: EthereumLog): number => log.topics[0]?.[0] ?? 0;

export const KINDS: readonly Kind[] = [
  kind('newHeads', { kind: 'newHeads', fromBlock: undefined }, (fact) =>
    fact.kind === 'block' ? [`head ${fact.height}`] : [],
  ),
  kind('newPendingTransactions', { kind: 'newPendingTransactions', fullTransactions: false }, (fact) =>
    fact.kind === 'pending' ? [fact.hash] : [],
  ),
  kind('newPendingTransactions, whole', { kind: 'newPendingTransactions', fullTransactions: true }, (fact) =>
    fact.kind === 'pending' ? [`full ${fact.hash}`] : [],
  ),
  logs('all logs', ANY, () => true),
  logs('two addresses', { ...ANY, addresses: [addressOf(1), addressOf(2)] }, (log) => addressIn(log) !== 3),
  logs('a topic', { ...ANY, topics: [[topicOf(1)]] }, (log) => topicIn(log) === 1),
  logs(
    'an address and two topics',
    { ...ANY, addresses: [addressOf(3)], topics: [[topicOf(1), topicOf(2)]] },
    (log) => addressIn(log) === 3 && topicIn(log) !== 3,
  ),
  logs('two topics where logs have one', { ...ANY, topics: [[], []] }, () => false),
  logs('blocks up to 4', { ...ANY, toBlock: toHeight(4n) }, (_, height) => height <= 4n),
];
