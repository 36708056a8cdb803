import { afterBlock, withAppHash, type ChainState } from '../../core/chain/chain-state.js';
import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import type { BlockDecided, BlockExecuted } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID, Commit } from '../../core/proto/tendermint/types/types_pb.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { History } from '../../store/history/history.js';
import { RecentRows } from '../../store/state/recent-rows.js';
import type { Executed } from '../executor/protocol.js';
import { decidedRows, executedRows } from './block-rows.js';
import { executedBlockOf } from '../../core/chain/execution.js';
import type { Ledger } from './ledger.js';

export interface BlockWriterOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly history: History;
  /** The chain at the head. */
  readonly ledger: Pick<Ledger, 'state'>;
  readonly crypto: Crypto;
  /** Passes to the streams the facts of a block that its log record does not contain. */
  readonly onExecuted: (execution: ExecutionOutput) => void;
}

/** A decided block, with its BlockDecided event and rows. */
export interface LoggedDecision {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Undefined when an external engine (CometBFT) keeps the commit. */
  readonly commit: Commit | undefined;
  /** Size of the encoded block, bytes. */
  readonly size: number;
  readonly event: BlockDecided;
  readonly rows: readonly StoreOperation[];
}

/** The chain state after a block, still without app hash. */
export interface AfterExecution {
  readonly before: ChainState;
  readonly provisional: ChainState;
  readonly paramsChanged: boolean;
}

/** A block that is being written. */
export interface Written {
  /** The chain state after the block. */
  readonly state: ChainState;
  /**
   * True when the block writes validator or parameter rows; the next block needs them, so it must wait for `logged`.
   */
  readonly hasHistory: boolean;
  /** Resolves when the block is in the log. */
  readonly logged: Promise<void>;
}

/**
 * Writes executed blocks: decision, execution and all derived rows enter the log in one synced batch, for the embedded
 * consensus and for an external engine alike.
 */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  readonly #recentRows: RecentRows;
  /** Chain state after the block that wrote the newest of these rows. */
  #recentOf: ChainState | undefined;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
    this.#recentRows = new RecentRows(options.store);
  }

  /** Hash-index rows of a decided block. */
  decidedRows({ block, blockId }: Pick<LoggedDecision, 'block' | 'blockId'>): readonly StoreOperation[] {
    return decidedRows(this.#options.crypto, block, blockId);
  }

  /** Logs a decision alone, before its execution. */
  async logDecision({ event, rows }: Pick<LoggedDecision, 'event' | 'rows'>): Promise<void> {
    await this.#options.log.append([{ event }], rows);
  }

  /** Logs that the node halts at a block for an upgrade that this build cannot apply. */
  async logHalt(plan: {
    readonly name: string;
    readonly height: ChainState['height'];
    readonly info: string;
  }): Promise<void> {
    await this.#options.log.append([{ event: { type: 'UpgradeHalted', v: 1, data: plan } }]);
  }

  /** Computes the chain state after a block on top of `before` (default: the head). */
  after(
    decision: Pick<LoggedDecision, 'block' | 'blockId' | 'commit'>,
    { results }: Pick<Executed, 'results'>,
    before: ChainState = this.#options.ledger.state,
  ): AfterExecution {
    const { crypto } = this.#options;
    const executedBlock = executedBlockOf(before, decision, results);
    // Validators of H+2 and parameters of H+1 do not depend on the app hash, so their rows are written with the block.
    const provisional = afterBlock(crypto, before, executedBlock);
    return { before, provisional, paramsChanged: executedBlock.consensusParamUpdates !== undefined };
  }

  /**
   * Writes an executed block; resolves when it is in the log and its app hash is known. `executed`: its event.
   * `decisionLogged`: an earlier record contains the decision.
   */
  async write(
    decision: LoggedDecision,
    result: Executed,
    after: AfterExecution,
    executed: BlockExecuted,
    appHash: Promise<Uint8Array>,
    decisionLogged: boolean,
  ): Promise<void> {
    // If computing the rows throws, nobody awaits `appHash`.
    appHash.catch(() => undefined);
    const { rows, history } = this.#rows(result, after);
    const shown = appHash.then((hash) => void this.#tell(decision, result, after, history, hash));
    await Promise.all([this.#log(decision, executed, rows, decisionLogged), shown]);
  }

  /**
   * Queues a block whose app hash is known behind the blocks being written. Blocks queued in one turn of the event loop
   * share a batch.
   */
  writeNext(decision: LoggedDecision, result: Executed, after: AfterExecution, appHash: Uint8Array): Written {
    const { rows, history } = this.#rows(result, after);
    const logged = this.#log(decision, executedEvent(after.provisional.height, result), rows, false);
    return { state: this.#tell(decision, result, after, history, appHash), hasHistory: history.length > 0, logged };
  }

  #rows(result: Executed, { before, provisional, paramsChanged }: AfterExecution): ReturnType<typeof executedRows> {
    const { history } = this.#options;
    const made = executedRows({ store: this.#rowsAt(before), history, result, after: provisional, paramsChanged });
    this.#recentRows.written(made.rows);
    return made;
  }

  #tell(
    { block, blockId, size }: LoggedDecision,
    { results, writes, upgradeApplied }: Executed,
    { provisional }: AfterExecution,
    history: readonly StoreOperation[],
    appHash: Uint8Array,
  ): ChainState {
    const state = withAppHash(provisional, appHash);
    this.#recentOf = state;
    this.#options.onExecuted({
      state,
      block: { block, blockId, size },
      results: results.withAppHash(appHash),
      writes,
      history,
      upgradeApplied,
    });
    return state;
  }

  async #log(
    { event, rows }: LoggedDecision,
    executed: BlockExecuted,
    made: readonly StoreOperation[],
    decisionLogged: boolean,
  ): Promise<void> {
    await this.#options.log.append(decisionLogged ? [{ event: executed }] : [{ event }, { event: executed }], [
      ...(decisionLogged ? [] : rows),
      ...made,
    ]);
  }

  /** Cached rows of `latest` at a head; the cache is cleared unless the last written block led to this head. */
  #rowsAt(head: ChainState): RecentRows {
    if (head !== this.#recentOf) this.#recentRows.forget();
    return this.#recentRows;
  }
}

/** Builds the BlockExecuted event of the embedded consensus. */
export function executedEvent(height: bigint, result: Executed): BlockExecuted {
  return { type: 'BlockExecuted', v: result.touched.length === 0 ? 1 : 3, data: executedData(height, result) };
}

/** Builds the BlockExecuted event for an external engine, which has received the app hash. */
export function executedExternally(height: bigint, result: Executed, appHash: Uint8Array): BlockExecuted {
  const data = { ...executedData(height, result), appHash };
  return { type: 'BlockExecuted', v: result.touched.length === 0 ? 2 : 4, data };
}

function executedData(height: bigint, { results, writes, upgradeHeight, touched }: Executed) {
  return {
    height: toHeight(height),
    results: results.bytes,
    writes,
    upgradeHeight,
    ...(touched.length > 0 && { touched }),
  };
}
