import type { FinalizeBlockRequest, FinalizeBlockResult } from '../../core/application-requests.js';
import { commitBytes } from '../../core/comet/block-bytes.js';
import { txHash } from '../../core/comet/body-hash.js';
import { equal } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import type { ConsensusNotice } from '../../core/consensus/notices.js';
import { invariant } from '../../core/errors.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID, Commit } from '../../core/proto/tendermint/types/types_pb.js';
import type { RestartingExecutor } from '../executor/restarting-executor.js';
import type { Executed } from '../executor/protocol.js';
import { executedEvent, type BlockWriter, type LoggedDecision } from './block-writer.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import type { Ledger } from './ledger.js';

export interface DecidedBlock {
  readonly block: Block;
  /** Protobuf bytes of the block. */
  readonly encoded: Uint8Array;
  readonly blockId: BlockID;
  /** The commit that decided the block. */
  readonly commit: Commit;
  /** Consensus notices of all rounds of the height, in order. */
  readonly trace: readonly ConsensusNotice[];
}

export interface BlockPipelineOptions {
  readonly writer: BlockWriter;
  /** The chain at the head, and the height of a scheduled upgrade. */
  readonly ledger: Pick<Ledger, 'state' | 'upgradeHeight' | 'earliestHeight'>;
  readonly executor: Pick<RestartingExecutor, 'execute' | 'finish' | 'commit' | 'rollback' | 'restart'>;
  /** True when the executor has already executed this block's transactions (`BlockFiller`). */
  readonly isPrepared: (hash: Uint8Array) => boolean;
  /** True when this process has checked the transaction's signatures in CheckTx, so that execution can skip them. */
  readonly isChecked: (hash: string) => boolean;
  readonly crypto: Crypto;
  /** Reports to the operator why the chain halts, in the application's words. */
  readonly onHalt: (reason: string) => void;
}

interface BegunExecution {
  readonly height: Height;
  /** Hash of the block. */
  readonly hash: Uint8Array;
  readonly result: Promise<FinalizeBlockResult>;
}

/**
 * Executes each block that the embedded consensus decides, and writes it to the log while the executor computes the app
 * hash. Proposals are never stored.
 */
export class BlockPipeline {
  readonly #options: BlockPipelineOptions;
  /** Speculative execution of a proposal that is not decided yet. */
  #begun: BegunExecution | undefined;

  constructor(options: BlockPipelineOptions) {
    this.#options = options;
  }

  /**
   * Starts executing a proposal speculatively: with a single validator it is almost certainly decided while its votes
   * are being signed.
   */
  proposed(proposal: Pick<DecidedBlock, 'block' | 'blockId'>): void {
    const height = heightOf(proposal.block);
    // A halt for an upgrade is logged as a decision without execution, so at a due height the decision must be in the
    // log before execution is tried.
    if (this.#isDue(height)) return;
    const before = this.#begun;
    if (before !== undefined && equal(before.hash, proposal.blockId.hash)) return;
    const result =
      before === undefined ? this.#execute(proposal) : this.#discard(before).then(() => this.#execute(proposal));
    // `decided` awaits the result; without a decision a rejection does not matter.
    result.catch(() => undefined);
    this.#begun = { height, hash: proposal.blockId.hash, result };
  }

  /**
   * Executes and logs a decided block. Resolves when the decision is in the log, together with its execution or the
   * halt it causes. Rejects when the storage or every executor fails.
   */
  async decided(decided: DecidedBlock): Promise<void> {
    const { writer } = this.#options;
    const due = this.#isDue(heightOf(decided.block));
    const execution = due ? undefined : this.#execution(decided);
    // Everything independent of the results is prepared during the execution.
    const prepared = this.#prepare(decided);
    if (due) await writer.logDecision(prepared);
    const result = await (execution ?? this.#execution(decided));
    if (result.kind === 'executed') return this.#finish(prepared, result, due);
    if (!due) await writer.logDecision(prepared);
    this.#options.onHalt(result.reason);
    await writer.logHalt(result.plan);
  }

  /**
   * Executes a block whose decision is already in the log: after a halt, or when the process ended between decision and
   * execution. `haltLogged`: the halt is in the log, too; if the block halts again, nothing is appended.
   */
  async resume(decided: DecidedBlock, haltLogged: boolean): Promise<void> {
    const result = await this.#execute(decided);
    if (result.kind === 'executed') return this.#finish(this.#prepare(decided), result, true);
    this.#options.onHalt(result.reason);
    if (!haltLogged) await this.#options.writer.logHalt(result.plan);
  }

  /** Discards a speculative execution; undefined when there is none. */
  discardExecution(): Promise<void> | undefined {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun && this.#discard(begun);
  }

  async #execution(decided: DecidedBlock): Promise<FinalizeBlockResult> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return this.#execute(decided);
    if (equal(begun.hash, decided.blockId.hash)) return begun.result;
    await this.#discard(begun);
    return this.#execute(decided);
  }

  /**
   * Rolls the executor's caches and trees back to the previous block after executing a proposal that was not decided.
   */
  async #discard({ height, result }: BegunExecution): Promise<void> {
    const { executor } = this.#options;
    const begun = await result.catch(() => undefined);
    if (begun?.kind !== 'executed') return;
    const appHash =
      height === this.#options.ledger.earliestHeight() ? undefined : await executor.rollback(toHeight(height - 1n));
    // The trees cannot be rolled back: rebuild the executor.
    if (appHash === undefined) await executor.restart();
  }

  async #execute(block: Pick<DecidedBlock, 'block' | 'blockId'>): Promise<FinalizeBlockResult> {
    const { executor, isPrepared } = this.#options;
    const { hash } = block.blockId;
    const finished = isPrepared(hash) ? await executor.finish(heightOf(block.block), hash) : undefined;
    return finished ?? executor.execute(this.#finalizeRequest(block));
  }

  /** True when a scheduled upgrade may halt the chain at this height. */
  #isDue(height: Height): boolean {
    return mayHalt(this.#options.ledger.upgradeHeight, height);
  }

  #prepare(decided: DecidedBlock): LoggedDecision {
    return loggedDecision(this.#options.writer, decided);
  }

  async #finish(prepared: LoggedDecision, result: Executed, decisionLogged: boolean): Promise<void> {
    const { writer, executor } = this.#options;
    const height = heightOf(prepared.block);
    const after = writer.after(prepared, result);
    const event = executedEvent(height, result);
    await writer.write(prepared, result, after, event, executor.commit(height), decisionLogged);
  }

  #finalizeRequest({ block, blockId }: Pick<DecidedBlock, 'block' | 'blockId'>): FinalizeBlockRequest {
    const { crypto, ledger, isChecked } = this.#options;
    const request = finalizeRequest(crypto, ledger.state, block, blockId.hash);
    // Before the first block, earlier builds admitted signatures with account number 0, which blocks reject.
    if (request.txs.length === 0 || request.height <= ledger.earliestHeight()) return request;
    const verified = request.txs.flatMap((tx, index) => (isChecked(upperHex(txHash(crypto, tx))) ? [index] : []));
    return { ...request, verified: new Set(verified) };
  }
}

/** Builds the BlockDecided event and its rows for a decision of the embedded consensus. */
export function loggedDecision(writer: Pick<BlockWriter, 'decidedRows'>, decided: DecidedBlock): LoggedDecision {
  const { block, blockId, encoded, commit, trace } = decided;
  const data = { height: heightOf(block), block: encoded, commit: commitBytes(commit), trace };
  const event = { type: 'BlockDecided', v: 3, data } as const;
  return { block, blockId, commit, size: encoded.length, event, rows: writer.decidedRows(decided) };
}

function heightOf(block: Block): Height {
  invariant(block.header !== undefined, 'a block has a header');
  return toHeight(block.header.height);
}
