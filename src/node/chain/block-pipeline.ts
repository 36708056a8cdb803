import { toBinary } from '@bufbuild/protobuf';
import type { MempoolActor } from '../../actors/mempool/mempool.js';
import type { UpgradeKeeper } from '../../actors/upgrade-keeper/upgrade-keeper.js';
import type { FinalizeBlockRequest } from '../../core/application.js';
import { afterBlock, type ChainState } from '../../core/chain/chain-state.js';
import { commitEvents } from '../../core/chain/commit-events.js';
import { txHash } from '../../core/comet/body-hash.js';
import { updatedValidators } from '../../core/chain/updated-validators.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { equalBytes, toHex } from '../../core/comet/text.js';
import type { ConsensusEvent } from '../../core/consensus-event.js';
import { invariant } from '../../core/errors.js';
import type { CommitEvents } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import { CommitSchema, type BlockID, type Commit } from '../../core/proto/tendermint/types/types_pb.js';
import type { StateWrite } from '../../core/state/state.js';
import type { EventLog } from '../../store/event-log.js';
import type { History } from '../../store/history/history.js';
import { forgetPending } from '../../store/pending/pending.js';
import type { Executor } from '../executor/executor.js';
import type { Execution } from '../executor/protocol.js';
import { decidedRows, executedRows } from './block-rows.js';
import { executedBlockOf, finalizeRequest } from './execution.js';
import type { Ledger } from './ledger.js';

export interface DecidedBlock {
  readonly block: Block;
  /** Protobuf bytes of the block. */
  readonly encoded: Uint8Array;
  readonly blockId: BlockID;
  /** Commit that decided it. */
  readonly commit: Commit;
  /** Consensus events before the decision, in order; they become visible with the block. */
  readonly trace: readonly ConsensusEvent[];
}

/** What a decision brings into the log, whatever its execution answers. */
interface PreparedBlock {
  readonly decided: DecidedBlock;
  readonly event: ReturnType<typeof decidedEvent>;
  readonly rows: readonly StoreOperation[];
  readonly txHashes: readonly Uint8Array[];
}

export interface BlockPipelineOptions {
  readonly log: EventLog;
  readonly store: KeyValueStore;
  readonly history: History;
  readonly ledger: Ledger;
  readonly executor: Executor;
  readonly mempool: MempoolActor;
  readonly upgradeKeeper: UpgradeKeeper;
  readonly crypto: Crypto;
  /** Delivers to push faces; called once per block, after everything else is readable. */
  readonly publish: (commit: CommitEvents) => void;
  /** A block was executed: secondary indexes may follow. */
  readonly onExecuted: (height: Height) => void;
  /** The state after a block became readable: admission starts from it. */
  readonly onStatePublished: (writes: readonly StateWrite[]) => void;
}

/**
 * From a decided block to a published one: execute, one synced batch with both events and all rows, app hash meanwhile,
 * then show (design section 3, "A block" and "Log before show").
 */
export class BlockPipeline {
  readonly #options: BlockPipelineOptions;
  /** Execution of a proposal whose decision is not there yet. */
  #begun: { readonly hash: Uint8Array; readonly result: Promise<Execution> } | undefined;

  constructor(options: BlockPipelineOptions) {
    this.#options = options;
  }

  /**
   * Begins to execute a block that is certain to be decided: the proposal of an only validator, whose votes are signed
   * meanwhile. Nothing is stored or shown before `decided`.
   */
  proposed(proposal: Pick<DecidedBlock, 'block' | 'blockId'>): void {
    // The halt of an upgrade is exactly a decision without an execution: it must be in the log before we look.
    if (this.#options.upgradeKeeper.isDue(heightOf(proposal.block))) return;
    const result = this.#options.executor.execute(this.#finalizeRequest(proposal));
    // Whoever awaits it is told; without a decision nobody is.
    result.catch(() => undefined);
    this.#begun = { hash: proposal.blockId.hash, result };
  }

  /** Resolves `halted` when the application refuses the block because an upgrade is due that it cannot apply. */
  async decided(decided: DecidedBlock): Promise<'executed' | 'halted'> {
    const { log, upgradeKeeper, ledger } = this.#options;
    const height = heightOf(decided.block);
    const due = upgradeKeeper.isDue(height);
    const execution = due ? undefined : this.#execution(decided);
    // What does not depend on the results is made while they are.
    const prepared = this.#prepare(decided);
    if (due) await this.#logDecision(prepared);
    const result = await (execution ?? this.#execution(decided));
    if (result.kind === 'halted') {
      if (!due) await this.#logDecision(prepared);
      ledger.publishDecision(height);
      upgradeKeeper.halted(result.plan);
      await log.append([{ event: { type: 'UpgradeHalted', v: 1, data: result.plan } }]);
      this.#options.publish({ position: log.head().position, events: decided.trace });
      return 'halted';
    }
    await this.#finish(prepared, result, due);
    return 'executed';
  }

  #execution(decided: DecidedBlock): Promise<Execution> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return this.#options.executor.execute(this.#finalizeRequest(decided));
    invariant(equalBytes(begun.hash, decided.blockId.hash), 'a block whose execution began is decided');
    return begun.result;
  }

  /** Executes a block whose decision the log already holds (a restart after a halt). */
  async resume(
    decided: DecidedBlock,
  ): Promise<{ readonly kind: 'executed' } | { readonly kind: 'halted'; readonly reason: string }> {
    const result = await this.#options.executor.execute(this.#finalizeRequest(decided));
    if (result.kind === 'halted') {
      this.#options.ledger.publishDecision(heightOf(decided.block));
      this.#options.upgradeKeeper.halted(result.plan);
      return { kind: 'halted', reason: result.reason };
    }
    await this.#finish(this.#prepare(decided), result, true);
    return { kind: 'executed' };
  }

  #prepare(decided: DecidedBlock): PreparedBlock {
    const { crypto } = this.#options;
    const { block, blockId } = decided;
    return {
      decided,
      event: decidedEvent(decided),
      rows: decidedRows(crypto, block, blockId),
      txHashes: (block.data?.txs ?? []).map((tx) => txHash(crypto, tx)),
    };
  }

  async #logDecision({ event, rows }: PreparedBlock): Promise<void> {
    await this.#options.log.append([{ event }], rows);
  }

  async #finish(
    prepared: PreparedBlock,
    result: Extract<Execution, { kind: 'executed' }>,
    decisionLogged: boolean,
  ): Promise<void> {
    const { log, store, history, ledger, executor, mempool, upgradeKeeper, crypto } = this.#options;
    const { decided, txHashes } = prepared;
    const { block, blockId, encoded } = decided;
    const height = heightOf(block);
    const before = ledger.state;
    const executedBlock = executedBlockOf(before, decided, result.results);
    // The validators of H+2 and the parameters of H+1 do not depend on the app hash, so their rows go with the block.
    const provisional = afterBlock(crypto, before, { ...executedBlock, appHash: new Uint8Array() });
    const made = executedRows({
      store,
      history,
      crypto,
      block,
      result,
      after: provisional,
      paramsChanged: executedBlock.consensusParamUpdates !== undefined,
    });
    const rows = [...(decisionLogged ? [] : prepared.rows), ...made.rows];
    const executedEvent = {
      type: 'BlockExecuted',
      v: 1,
      data: { height, results: result.results.bytes, writes: result.writes, upgradeHeight: result.upgradeHeight },
    } as const;
    const events = decisionLogged ? [{ event: executedEvent }] : [{ event: prepared.event }, { event: executedEvent }];
    const [recorded, appHash] = await Promise.all([log.append(events, rows), executor.commit(height)]);
    const position = recorded.at(-1)?.position ?? toPosition(0n);
    history.published(made.history);
    const after: ChainState = { ...provisional, appHash };
    const results = result.results.withAppHash(appHash);
    ledger.publish(after, { block, blockId, size: encoded.length }, results);
    upgradeKeeper.committed({ height, upgradeHeight: result.upgradeHeight, applied: result.upgradeApplied });
    this.#options.onStatePublished(result.writes);
    const fallen = mempool.committed(txHashes.map(toHex));
    if (fallen.length > 0) void this.#forget(fallen);
    this.#options.onExecuted(height);
    this.#options.publish({
      position,
      events: [...decided.trace, ...this.#events(decided, results, txHashes, position)],
    });
  }

  #events(
    decided: DecidedBlock,
    results: EncodedResults,
    txHashes: readonly Uint8Array[],
    position: CommitEvents['position'],
  ): readonly ConsensusEvent[] {
    return commitEvents({
      position,
      block: decided.block,
      blockId: decided.blockId,
      results,
      txHashes,
      validatorUpdates: updatedValidators(this.#options.crypto, results.validatorUpdates),
    });
  }

  /** Rows of transactions that stopped being valid; losing this write only means checking them again at the next start. */
  async #forget(hashes: readonly string[]): Promise<void> {
    const { store } = this.#options;
    try {
      await store.commit(
        hashes.map((hash) => forgetPending(Uint8Array.from(Buffer.from(hash, 'hex')))),
        { sync: false },
      );
    } catch {
      // The poison rule reports the failure to the next block's batch, which stops the node.
    }
  }

  #finalizeRequest({ block, blockId }: Pick<DecidedBlock, 'block' | 'blockId'>): FinalizeBlockRequest {
    const { crypto, ledger, mempool } = this.#options;
    const request = finalizeRequest(crypto, ledger.state, block, blockId.hash);
    // What was admitted before the first block was signed for account number 0, which no block accepts.
    if (request.height <= ledger.earliestHeight()) return request;
    const verified = request.txs.flatMap((tx, index) => (mempool.isChecked(toHex(txHash(crypto, tx))) ? [index] : []));
    return { ...request, verified: new Set(verified) };
  }
}

function decidedEvent({ block, encoded, commit, trace }: DecidedBlock) {
  return {
    type: 'BlockDecided',
    v: 1,
    data: {
      height: heightOf(block),
      block: encoded,
      commit: toBinary(CommitSchema, commit),
      trace: trace.map(({ type, value }) => ({ type, value })),
    },
  } as const;
}

function heightOf(block: Block): Height {
  invariant(block.header !== undefined, 'a block has a header');
  return toHeight(block.header.height);
}
