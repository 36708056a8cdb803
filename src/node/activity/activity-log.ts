import { cosmosLine } from '../../core/activity/cosmos-line.js';
import {
  blockLine,
  consoleLines,
  emptyBlocksLine,
  manyBlocksLine,
  moreTransactionsLine,
  type Range,
  restoredLine,
  revertedLine,
} from '../../core/activity/block-lines.js';
import { eventLine, EVENTS_WITH_LINES } from '../../core/activity/event-lines.js';
import { ethereumLine } from '../../core/activity/ethereum-line.js';
import type { Line } from '../../core/activity/line.js';
import type { Names } from '../../core/activity/names.js';
import { hex, hexData } from '../../core/bytes/hex.js';
import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import { txHash } from '../../core/comet/body-hash.js';
import { ethereumBlockOf } from '../../core/ethereum/block-of.js';
import { headerHashesOf } from '../../core/ethereum/header-facts.js';
import type { EthereumBlockTransaction } from '../../core/ethereum/block-view.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { Executed, ChainReverted } from '../../streams/index.js';
import type { Budget } from './budget.js';

/** Output of the activity log. */
export interface ActivitySink {
  line(line: Line): void;
  /** Replaces the last status line; only on a terminal. */
  status(line: Line): void;
}

export interface ActivityLogOptions {
  readonly crypto: Crypto;
  readonly timers: Timers;
  readonly budget: Budget;
  readonly names: Names;
  readonly baseDenom: string;
  readonly sink: ActivitySink;
  /** True if each empty block gets its own line. */
  readonly showsEmpty: boolean;
  /** Called before the transactions of a block are logged. */
  readonly prepare: (transactions: readonly EthereumBlockTransaction[]) => Promise<void>;
  /** Returns the `console.log` output of transactions of one block, by transaction hash. */
  readonly printed: (
    transactions: readonly EthereumBlockTransaction[],
  ) => Promise<ReadonlyMap<EthereumBlockTransaction, readonly string[]>>;
}

interface ManyBlocks extends Range {
  readonly transactions: number;
}

type Entry =
  | { readonly kind: 'block'; readonly execution: ExecutionOutput }
  | { readonly kind: 'reverted'; readonly line: Line };

/**
 * Logs every block and transaction. Published blocks are queued, and their lines are made in later turns of the event
 * loop within a budget, so that logging never delays a block. Beyond the budget only a count is logged.
 */
export class ActivityLog {
  readonly #options: ActivityLogOptions;
  #waiting: Entry[] = [];
  #running: Promise<void> | undefined;
  #empty: Range | undefined;
  #many: ManyBlocks | undefined;
  #cancel = (): void => undefined;

  constructor(options: ActivityLogOptions) {
    this.#options = options;
  }

  heard(message: Executed | ChainReverted): void {
    if (message.type === 'reverted') this.#reverted(message);
    else if (message.execution === undefined) return;
    else if (this.#waiting.length >= FIXED_LIMITS.activityBlocks) this.#tooFast(message.execution);
    else this.#waiting.push({ kind: 'block', execution: message.execution });
    this.#running ??= this.#run();
  }

  /** Queues a revert. It replaces a revert at the end of the queue, so that the queue stays bounded. */
  #reverted({ height, isRestored }: ChainReverted): void {
    if (this.#waiting.at(-1)?.kind === 'reverted') this.#waiting.pop();
    this.#waiting.push({ kind: 'reverted', line: isRestored === true ? restoredLine(height) : revertedLine(height) });
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
    this.#cancel();
    this.#tellMany();
  }

  async #run(): Promise<void> {
    const { timers } = this.#options;
    this.#cancel();
    for (;;) {
      await timers.yield();
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (next.kind === 'reverted') this.#line(next.line);
      else await this.#showExecution(next.execution);
    }
    this.#running = undefined;
    if (this.#many !== undefined) this.#cancel = timers.after(FIXED_LIMITS.activityPauseMs, () => this.#tellMany());
  }

  /** Logs the lines of a block. A failure (of a trace, or of a read) only loses these lines. */
  async #showExecution(execution: ExecutionOutput): Promise<void> {
    try {
      await this.#block(execution);
    } catch {
      this.#tooFast(execution);
    }
  }

  async #block(execution: ExecutionOutput): Promise<void> {
    const { height } = execution.state;
    const txs = transactionsIn(execution);
    const events = execution.results.eventsOf(EVENTS_WITH_LINES).slice(0, FIXED_LIMITS.activityTransactions);
    if (txs.length + events.length === 0) return this.#noTransactions(height);
    const maximum = Math.min(txs.length + events.length, FIXED_LIMITS.activityTransactions);
    const count = this.#options.budget.take(maximum);
    if (count < Math.min(maximum, LEAST_SHOWN)) return this.#tooFast(execution);
    await this.#transactions(execution, txs.slice(0, count), txs.length);
    for (const event of events.slice(0, count)) {
      const line = eventLine(event, this.#options.names, this.#options.baseDenom);
      if (line !== undefined) this.#line(line);
    }
  }

  async #transactions(execution: ExecutionOutput, txs: readonly Uint8Array[], total: number): Promise<void> {
    const { crypto, names, baseDenom, prepare, printed } = this.#options;
    const { state, block: stored, results } = execution;
    const views = ethereumViews(crypto, execution, txs);
    await prepare([...views.values()]);
    const texts = await printed([...views.values()]);
    const gasUsed =
      total > txs.length ? undefined : txs.reduce((sum, _, index) => sum + (results.outcome(index)?.gasUsed ?? 0n), 0n);
    const hash = headerHashesOf(results)?.hash ?? stored.blockId.hash;
    this.#line(blockLine({ height: state.height, hash, transactions: total, gasUsed }));
    for (const [index, tx] of txs.entries()) {
      const hash = txHash(crypto, tx);
      const view = views.get(hex(hash));
      const result = results.txResult(index);
      if (view !== undefined) {
        this.#line(ethereumLine(view, names, baseDenom));
        for (const line of consoleLines(texts.get(view) ?? [], hexData(view.hash))) this.#line(line);
      } else if (result !== undefined) this.#line(cosmosLine(tx, hash, result, names, baseDenom));
    }
    if (total > txs.length) this.#line(moreTransactionsLine(total - txs.length));
  }

  #noTransactions(height: Height): void {
    const { sink, showsEmpty } = this.#options;
    if (showsEmpty) return this.#line(emptyBlocksLine({ from: height, to: height }, 'debug'));
    this.#empty = { from: this.#empty?.from ?? height, to: height };
    sink.status(emptyBlocksLine(this.#empty, 'info'));
  }

  #tooFast(execution: ExecutionOutput): void {
    // Log the range of empty blocks before this block.
    this.#logEmptyBlocks();
    const { height } = execution.state;
    const transactions = (this.#many?.transactions ?? 0) + transactionsIn(execution).length;
    this.#many = { from: this.#many?.from ?? height, to: height, transactions };
  }

  #logEmptyBlocks(): void {
    if (this.#empty === undefined) return;
    this.#options.sink.line(emptyBlocksLine(this.#empty, 'info'));
    this.#empty = undefined;
  }

  #tellMany(): void {
    if (this.#many === undefined) return;
    const { transactions, ...range } = this.#many;
    this.#many = undefined;
    this.#options.sink.line(manyBlocksLine(range, transactions));
  }

  #line(line: Line): void {
    this.#tellMany();
    this.#logEmptyBlocks();
    this.#options.sink.line(line);
  }
}

/** With fewer lines left in the budget, a block is only counted. */
const LEAST_SHOWN = 10;

function transactionsIn({ block }: ExecutionOutput): readonly Uint8Array[] {
  return block.block.data?.txs ?? [];
}

/** The Ethereum transactions among the first ones of a block, by their consensus hash. */
function ethereumViews(
  crypto: Crypto,
  { block: stored, results }: ExecutionOutput,
  txs: readonly Uint8Array[],
): ReadonlyMap<string, EthereumBlockTransaction> {
  const { block } = stored;
  const first = { ...stored, block: { ...block, data: block.data && { ...block.data, txs: [...txs] } } };
  const nowhere = { miner: new Uint8Array(20), maxGas: -1n, genesisHash: new Uint8Array(32) };
  const { transactions } = ethereumBlockOf(crypto, first, results, nowhere);
  return new Map(transactions.map((view) => [hex(view.consensusHash), view]));
}
