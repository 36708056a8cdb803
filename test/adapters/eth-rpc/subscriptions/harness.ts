import {
  createEthereumRegistry,
  type EthereumRegistryActor,
} from '../../../../src/actors/subscription-registry/index.js';
import { createDeliveryHub, type DeliveryHub } from '../../../../src/adapters/eth-rpc/subscriptions/index.js';
import type { SubscriptionRequest } from '../../../../src/adapters/eth-rpc/subscription-seam.js';
import { createPump, type Pump } from '../../../../src/adapters/transport/delivery/index.js';
import type { EthereumPendingTransaction } from '../../../../src/core/ethereum/api.js';
import type { EthereumBlock, EthereumLog } from '../../../../src/core/ethereum/block-view.js';
import { hexData } from '../../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/core/limits.js';
import { toHeight, toPosition, type Position } from '../../../../src/core/primitives.js';
import { crypto } from '../../../store/support.js';
import { VirtualTime } from '../../../support/simulated-time.js';
import type { Entry, EthereumInterest } from '../../../../src/testing/index.js';

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

/** A subscription as the node is asked for it and as the model knows it. */
export interface Kind extends EthereumInterest<Fact> {
  readonly request: SubscriptionRequest;
}

const bytes = (length: number, seed: bigint | string): Uint8Array =>
  crypto.sha256(new TextEncoder().encode(String(seed))).slice(0, length);

/** A socket whose kernel takes nothing while it is stalled. */
export class FakeSocket {
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  stalled = false;
  corks = 0;
  /** Called with each frame, as the node sends it. */
  onFrame: (frame: string) => void = () => undefined;
  /** Called when the node closes it. */
  onClosed: () => void = () => undefined;
  #buffered = 0;

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.closed !== undefined) throw new Error('sent on a closed socket');
    this.frames.push(text);
    this.onFrame(text);
    if (this.stalled) this.#buffered += text.length;
    return this.stalled ? 'buffered' : 'sent';
  }
  bufferedBytes(): number {
    return this.#buffered;
  }
  cork(run: () => void): void {
    this.corks += 1;
    run();
  }
  end(code: number, reason: string): void {
    this.closed = { code, reason };
    this.onClosed();
  }
  release(): void {
    this.stalled = false;
    this.#buffered = 0;
  }
}

/** Identifies what a notification tells of, as a short text. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (result === null || typeof result !== 'object') return String(result);
  if ('logIndex' in result && 'blockNumber' in result)
    return `log ${Number(result.blockNumber)}.${Number(result.logIndex)}`;
  if ('number' in result) return `head ${Number(result.number)}`;
  return 'hash' in result ? `full ${String(result.hash)}` : 'unknown';
}

/** A node reduced to what it has shown, its registry, ring and hub. */
export class DeliveryNode {
  readonly time = new VirtualTime();
  /** What was shown. */
  readonly history: Entry<Fact>[] = [];
  readonly defects: unknown[] = [];
  registry!: EthereumRegistryActor;
  pump!: Pump;
  hub!: DeliveryHub;
  readonly #limits: Limits;
  readonly #atOnce: number | undefined;
  readonly #log: { readonly view: EthereumBlock; readonly model: Block }[] = [];
  readonly #pending: Pending[] = [];
  /** Blocks of the log that were shown. */
  #shown = 0;
  readonly #blockListeners = new Set<(block: EthereumBlock, position: Position) => void>();
  readonly #pendingListeners = new Set<(transaction: EthereumPendingTransaction, position: Position) => void>();
  #position = 0n;
  #draws = 0;
  /** Blocks read by replays. */
  reads = 0;

  constructor(limits: Partial<Limits> = {}, atOnce?: number) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#atOnce = atOnce;
    this.restart();
  }

  /** A new process over the same log: sockets and subscriptions are gone, what the log holds is shown. */
  restart(): void {
    this.registry?.stop();
    this.pump?.stop();
    this.hub?.stop();
    for (const { model } of this.#log.slice(this.#shown)) this.history.push({ fact: model });
    this.#shown = this.#log.length;
    const limits = this.#limits;
    this.registry = createEthereumRegistry({
      limits,
      position: toPosition(this.#position),
      onDefect: (error) => this.defects.push(error),
      feeds: {
        onBlock: (listener) => {
          this.#blockListeners.add(listener);
          return () => this.#blockListeners.delete(listener);
        },
        onPending: (listener) => {
          this.#pendingListeners.add(listener);
          return () => this.#pendingListeners.delete(listener);
        },
      },
    });
    this.pump = createPump({
      limits,
      timers: this.time,
      clock: this.time,
      ...(this.#atOnce === undefined ? {} : { atOnce: this.#atOnce }),
    });
    this.hub = createDeliveryHub({
      registry: this.registry,
      pump: this.pump,
      timers: { after: () => () => undefined, yield: () => new Promise((resolve) => setImmediate(resolve)) },
      randomness: { bytes: (length) => bytes(length, `id ${(this.#draws += 1)}`) },
      onDefect: (error) => this.defects.push(error),
      history: {
        blocks: (start) => this.#readBlocks(start),
        pending: (start) => this.#readPending(start.after),
      },
    });
  }

  /** Puts a block into the log; it is not shown yet. */
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
    this.#log.push({ model, view: blockView(model) });
  }

  /** Shows the blocks of the log that were not shown. */
  show(): void {
    for (const { view, model } of this.#log.slice(this.#shown)) {
      this.history.push({ fact: model });
      this.#shown += 1;
      for (const listener of this.#blockListeners) listener(view, toPosition(model.position));
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
    this.#pending.push(fact);
    this.history.push({ fact });
    for (const listener of this.#pendingListeners) listener(transaction, toPosition(this.#position));
  }

  async *#readBlocks(
    start: { readonly after: Position } | { readonly height: bigint },
  ): AsyncGenerator<{ block: EthereumBlock; position: Position }> {
    for (let at = 0; at < this.#log.length; at += 1) {
      const entry = this.#log[at];
      if (
        entry === undefined ||
        ('after' in start ? entry.model.position <= start.after : entry.model.height < start.height)
      )
        continue;
      await Promise.resolve();
      this.reads += 1;
      yield { block: entry.view, position: toPosition(entry.model.position) };
    }
  }

  async *#readPending(
    after: Position,
  ): AsyncGenerator<{ transaction: EthereumPendingTransaction; position: Position }> {
    for (let at = 0; at < this.#pending.length; at += 1) {
      const position = this.#pending[at]?.position ?? 0n;
      if (position <= after) continue;
      await Promise.resolve();
      yield { transaction: pendingView(position), position: toPosition(position) };
    }
  }
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function blockView({ height, logs }: Block): EthereumBlock {
  const logsBloom = new Uint8Array(256);
  const transaction = { ...pendingView(height).transaction };
  return {
    height: toHeight(height),
    hash: bytes(32, height),
    parentHash: bytes(32, height - 1n),
    timestamp: height,
    miner: addressOf(9),
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
          logsBloom,
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
const kind = (name: string, request: SubscriptionRequest, texts: (fact: Fact) => readonly string[]): Kind => ({
  name,
  params: [name],
  request,
  items: (fact) => texts(fact).map((key) => ({ key, place: 0 })),
});
const logs = (
  name: string,
  criteria: Extract<SubscriptionRequest, { kind: 'logs' }>['criteria'],
  accepts: (log: EthereumLog, height: bigint) => boolean,
): Kind => ({
  name,
  params: [name],
  request: { kind: 'logs', criteria, cursor: undefined },
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
  kind('newHeads', { kind: 'newHeads', fromBlock: undefined, cursor: undefined }, (fact) =>
    fact.kind === 'block' ? [`head ${fact.height}`] : [],
  ),
  kind(
    'newPendingTransactions',
    { kind: 'newPendingTransactions', fullTransactions: false, cursor: undefined },
    (fact) => (fact.kind === 'pending' ? [fact.hash] : []),
  ),
  kind(
    'newPendingTransactions, whole',
    { kind: 'newPendingTransactions', fullTransactions: true, cursor: undefined },
    (fact) => (fact.kind === 'pending' ? [`full ${fact.hash}`] : []),
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
