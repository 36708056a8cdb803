import type { ReportedFacts } from '../../core/chain/decision.js';
import { afterBlock, withAppHash, type ChainState } from '../../core/chain/chain-state.js';
import type { ExecutedNow } from '../../core/chain/executed-now.js';
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
  /** Tells the streams what the log's record of a block does not hold. */
  readonly onExecuted: (execution: ExecutedNow) => void;
}

/** A decided block with what the log will hold of the decision. */
export interface LoggedDecision {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Undefined when an engine outside of the process keeps it. */
  readonly commit: Commit | undefined;
  readonly reported?: ReportedFacts | undefined;
  /** Bytes of the block as the log holds it. */
  readonly size: number;
  readonly event: BlockDecided;
  readonly rows: readonly StoreOperation[];
}

/** The chain after a block, before its app hash is known. */
export interface AfterExecution {
  readonly before: ChainState;
  readonly provisional: ChainState;
  readonly paramsChanged: boolean;
}

/** A block whose writing has begun. */
export interface Written {
  /** The chain after it. */
  readonly state: ChainState;
  /** Its validators or parameters are in rows, which the next block looks at when they are there. */
  readonly hasHistory: boolean;
  /** Resolves when it is in the log. */
  readonly logged: Promise<void>;
}

/**
 * Makes decided and executed blocks facts: the decision, its execution and every row that follows from them enter the
 * log in one synced batch. The same for blocks of the embedded consensus and of an engine outside.
 */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  readonly #recentRows: RecentRows;
  /** The chain after the block that wrote the newest of them. */
  #recentOf: ChainState | undefined;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
    this.#recentRows = new RecentRows(options.store);
  }

  /** The rows that make a decided block findable. */
  decidedRows({ block, blockId }: Pick<LoggedDecision, 'block' | 'blockId'>): readonly StoreOperation[] {
    return decidedRows(this.#options.crypto, block, blockId);
  }

  /** A decision whose execution is delayed. */
  async logDecision({ event, rows }: Pick<LoggedDecision, 'event' | 'rows'>): Promise<void> {
    await this.#options.log.append([{ event }], rows);
  }

  /** The node stops at a block, because an upgrade is due that this build cannot apply. */
  async logHalt(plan: {
    readonly name: string;
    readonly height: ChainState['height'];
    readonly info: string;
  }): Promise<void> {
    await this.#options.log.append([{ event: { type: 'UpgradeHalted', v: 1, data: plan } }]);
  }

  /**
   * The chain after a block on top of `before`, which is the head by default.
   *
   * @throws ValidatorsRefused
   */
  after(
    decision: Pick<LoggedDecision, 'block' | 'blockId' | 'commit'>,
    { results }: Pick<Executed, 'results'>,
    before: ChainState = this.#options.ledger.state,
  ): AfterExecution {
    const { crypto } = this.#options;
    const executedBlock = executedBlockOf(before, decision, results);
    // The validators of H+2 and the parameters of H+1 do not depend on the app hash, so their rows go with the block.
    const provisional = afterBlock(crypto, before, executedBlock);
    return { before, provisional, paramsChanged: executedBlock.consensusParamUpdates !== undefined };
  }

  /**
   * Writes an executed block; resolves when it is in the log and its app hash is known. `executed` is its event,
   * `decisionLogged` says that an earlier record holds the decision.
   */
  async write(
    decision: LoggedDecision,
    result: Executed,
    after: AfterExecution,
    executed: BlockExecuted,
    appHash: Promise<Uint8Array>,
    decisionLogged: boolean,
  ): Promise<void> {
    // The rows throw where the store has failed; then nothing waits for the hash.
    appHash.catch(() => undefined);
    const { rows, history } = this.#rows(result, after);
    const shown = appHash.then((hash) => void this.#tell(decision, result, after, history, hash));
    await Promise.all([this.#log(decision, executed, rows, decisionLogged), shown]);
  }

  /**
   * Writes a block whose app hash is known, after those whose writing has begun; in order, and into one batch where
   * several are begun in one turn.
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

  /** The rows of the state at a head, which is the one after the last block unless the chain was reverted. */
  #rowsAt(head: ChainState): RecentRows {
    if (head !== this.#recentOf) this.#recentRows.forget();
    return this.#recentRows;
  }
}

/** The event of an execution here. */
export function executedEvent(height: bigint, result: Executed): BlockExecuted {
  return { type: 'BlockExecuted', v: result.touched.length === 0 ? 1 : 3, data: executedData(height, result) };
}

/** The event of an execution for an engine outside of the process, which received the app hash. */
export function executedOutside(height: bigint, result: Executed, appHash: Uint8Array): BlockExecuted {
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
