import { AbciRefused, type AbciBlock } from '../../core/abci/abci-application.js';
import type { FinalizeBlockRequest } from '../../core/application-requests.js';
import { equal } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import { decidedOutside, decisionOf } from '../../core/chain/decision.js';
import { txHash } from '../../core/comet/body-hash.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Executed } from '../executor/protocol.js';
import type { RestartingExecutor } from '../executor/restarting-executor.js';
import { executedOutside, type AfterExecution, type BlockWriter, type LoggedDecision } from './block-writer.js';
import type { Ledger } from './ledger.js';

export interface OutsideBlocksOptions {
  readonly writer: BlockWriter;
  readonly log: Pick<EventLog, 'head' | 'blockAt'>;
  /** The chain at the head. */
  readonly ledger: Pick<Ledger, 'state' | 'earliestHeight'>;
  readonly executor: Pick<RestartingExecutor, 'execute' | 'commit' | 'rollback' | 'restart'>;
  /** True when a transaction passed CheckTx here, so that its signatures need no second look. */
  readonly isChecked: (hash: string) => boolean;
  readonly crypto: Crypto;
  /** Tells the operator why the chain halts, in the application's words. */
  readonly onHalt: (reason: string) => void;
  /** A halt that the log held before: its record is shown to nobody again. */
  readonly halt: () => void;
}

/** An executed block that the engine has not committed: nothing of it is in the log. */
interface Finalized {
  readonly decision: LoggedDecision;
  readonly result: Executed;
  readonly after: AfterExecution;
  readonly appHash: Uint8Array;
}

/**
 * The blocks of an engine outside of the process: executed at FinalizeBlock, and written with their decision in one
 * batch at Commit (CometBFT v0.38 spec/abci/abci++_methods.md). An engine that begins again between the two asks for
 * the same block, and gets the same answer.
 */
export class OutsideBlocks {
  readonly #options: OutsideBlocksOptions;
  #finalized: Finalized | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: OutsideBlocksOptions) {
    this.#options = options;
  }

  /**
   * Executes a decided block; undefined when the chain halts at it for an upgrade. Its results contain the app hash.
   *
   * @throws AbciRefused, ValidatorsRefused
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
      await this.#takeBack();
      throw error;
    }
    return resultsOf(this.#finalized);
  }

  /** Writes the block that was executed last. Rejects when the storage fails. */
  async commit(): Promise<void> {
    const finalized = this.#finalized;
    if (finalized === undefined) throw new AbciRefused('the engine commits a block that it did not finalize');
    const { decision, result, after, appHash } = finalized;
    const { height } = after.provisional;
    const event = executedOutside(height, result, appHash);
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

  /** The log holds the decision of a block at which the chain halted. */
  #isLogged(height: bigint): boolean {
    return this.#options.log.head().decided >= height;
  }

  #decide(block: AbciBlock): LoggedDecision {
    const { ledger, crypto, writer, log } = this.#options;
    const known = this.#isLogged(block.height) ? log.blockAt(block.height)?.decided.event : undefined;
    const event = known ?? decidedOutside(ledger.state, block);
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

  /** Another block takes the place of the one that was executed. */
  async #discard(): Promise<void> {
    if (this.#finalized === undefined) return;
    this.#finalized = undefined;
    await this.#takeBack();
  }

  /** Caches and trees of the executor become those of the head again. */
  async #takeBack(): Promise<void> {
    const { ledger, executor } = this.#options;
    const { height } = ledger.state;
    const appHash = height < ledger.earliestHeight() ? undefined : await executor.rollback(toHeight(height));
    // A block that was executed is not committed.
    if (appHash === undefined) await executor.restart();
  }

  #request(block: AbciBlock): FinalizeBlockRequest {
    const { crypto, ledger, isChecked } = this.#options;
    const { chainId, appHash: previousAppHash } = ledger.state;
    // Before the first block earlier builds admitted signatures with account number 0, which no block accepts.
    const isFirst = block.height <= ledger.earliestHeight();
    const checked = isFirst ? [] : block.txs.flatMap((tx, at) => (isChecked(upperHex(txHash(crypto, tx))) ? [at] : []));
    return { ...block, chainId, previousAppHash, verified: new Set(checked) };
  }
}

function resultsOf({ result, appHash }: Finalized): EncodedResults {
  return result.results.withAppHash(appHash);
}
