import { AbciRefused, type AbciBlock } from '../../core/abci/abci-application.js';
import type { FinalizeBlockRequest } from '../../core/application-requests.js';
import { equal } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import { decidedExternally, decisionOf } from '../../core/chain/decision.js';
import { txHash } from '../../core/comet/body-hash.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Executed } from '../executor/protocol.js';
import type { RestartingExecutor } from '../executor/restarting-executor.js';
import { executedExternally, type AfterExecution, type BlockWriter, type LoggedDecision } from './block-writer.js';
import type { Ledger } from './ledger.js';

export interface ExternalBlocksOptions {
  readonly writer: BlockWriter;
  readonly log: Pick<EventLog, 'head' | 'blockAt'>;
  /** The chain at the head. */
  readonly ledger: Pick<Ledger, 'state' | 'earliestHeight'>;
  readonly executor: Pick<RestartingExecutor, 'execute' | 'commit' | 'rollback' | 'restart'>;
  /** True when this process has checked the transaction's signatures in CheckTx, so that execution can skip them. */
  readonly isChecked: (hash: string) => boolean;
  readonly crypto: Crypto;
  /** Reports to the operator why the chain halts, in the application's words. */
  readonly onHalt: (reason: string) => void;
  /** Announces a halt that is already in the log, whose record is not published again. */
  readonly halt: () => void;
}

/** A block that the engine finalized but has not committed; nothing of it is in the log. */
interface Finalized {
  readonly decision: LoggedDecision;
  readonly result: Executed;
  readonly after: AfterExecution;
  readonly appHash: Uint8Array;
}

/**
 * Blocks of an external engine (CometBFT): executed at FinalizeBlock, and written with their decision in one batch at
 * Commit (CometBFT v0.38 spec/abci/abci++_methods.md). An engine that restarts between the two repeats FinalizeBlock
 * and gets the same answer.
 */
export class ExternalBlocks {
  readonly #options: ExternalBlocksOptions;
  #finalized: Finalized | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ExternalBlocksOptions) {
    this.#options = options;
  }

  /**
   * Executes a decided block; undefined when the chain halts at it for an upgrade. The results contain the app hash.
   */
  async finalize(block: AbciBlock): Promise<EncodedResults | undefined> {
    const { ledger, executor } = this.#options;
    const next = ledger.state.height + 1n;
    if (block.height !== next)
      throw new AbciRefused(`the engine decides block ${block.height}; the log of this home goes on with ${next}`);
    const before = this.#finalized;
    if (before !== undefined && equal(before.decision.blockId.hash, block.hash)) return resultsOf(before);
    await this.#discard();
    const decision = this.#decide(block);
    const result = await executor.execute(this.#request(block));
    if (result.kind === 'halted') {
      await this.#halt(decision, result);
      return undefined;
    }
    const appHash = await executor.commit(block.height);
    try {
      this.#finalized = { decision, result, after: this.#options.writer.after(decision, result), appHash };
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
    return resultsOf(this.#finalized);
  }

  /** Writes the finalized block. Rejects when the storage fails. */
  async commit(): Promise<void> {
    const finalized = this.#finalized;
    if (finalized === undefined) throw new AbciRefused('the engine commits a block that it did not finalize');
    const { decision, result, after, appHash } = finalized;
    const { height } = after.provisional;
    const event = executedExternally(height, result, appHash);
    const { writer } = this.#options;
    const written = writer.write(decision, result, after, event, Promise.resolve(appHash), this.#isLogged(height));
    this.#writing = written.catch(() => undefined);
    await written;
    this.#finalized = undefined;
  }

  /** Resolves when no block is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** True when the log contains the decision of this height (the chain halted there). */
  #isLogged(height: bigint): boolean {
    return this.#options.log.head().decided >= height;
  }

  #decide(block: AbciBlock): LoggedDecision {
    const { ledger, crypto, writer, log } = this.#options;
    const known = this.#isLogged(block.height) ? log.blockAt(block.height)?.decided.event : undefined;
    const event = known ?? decidedExternally(ledger.state, block);
    const decision = decisionOf(crypto, event);
    if (!equal(decision.blockId.hash, block.hash))
      throw new AbciRefused(
        `the engine decides block ${upperHex(block.hash)} at height ${block.height}; the log of this home has halted at block ${upperHex(decision.blockId.hash)}`,
      );
    return { ...decision, event, rows: writer.decidedRows(decision) };
  }

  async #halt(
    decision: LoggedDecision,
    { reason, plan }: { readonly reason: string; readonly plan: Parameters<BlockWriter['logHalt']>[0] },
  ): Promise<void> {
    const { writer, onHalt, halt } = this.#options;
    onHalt(reason);
    if (this.#isLogged(decision.event.data.height)) return halt();
    await writer.logDecision(decision);
    await writer.logHalt(plan);
  }

  /** Discards a finalized block that the engine replaces by another one. */
  async #discard(): Promise<void> {
    if (this.#finalized === undefined) return;
    this.#finalized = undefined;
    await this.#rollBack();
  }

  /** Rolls the executor's caches and trees back to the head. */
  async #rollBack(): Promise<void> {
    const { ledger, executor } = this.#options;
    const { height } = ledger.state;
    const appHash = height < ledger.earliestHeight() ? undefined : await executor.rollback(toHeight(height));
    // The trees cannot be rolled back: rebuild the executor.
    if (appHash === undefined) await executor.restart();
  }

  #request(block: AbciBlock): FinalizeBlockRequest {
    const { crypto, ledger, isChecked } = this.#options;
    const { chainId, appHash: previousAppHash } = ledger.state;
    // Before the first block, earlier builds admitted signatures with account number 0, which blocks reject.
    const isFirst = block.height <= ledger.earliestHeight();
    const checked = isFirst ? [] : block.txs.flatMap((tx, at) => (isChecked(upperHex(txHash(crypto, tx))) ? [at] : []));
    return { ...block, chainId, previousAppHash, verified: new Set(checked) };
  }
}

function resultsOf({ result, appHash }: Finalized): EncodedResults {
  return result.results.withAppHash(appHash);
}
