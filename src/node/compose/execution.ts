import type { FinalizeBlockResult } from '../../core/application-requests.js';
import type { MempoolView } from '../../actors/mempool/mempool.js';
import { decisionOf } from '../../core/chain/decision.js';
import { invariant } from '../../core/errors.js';
import { CorruptionError } from '../../store/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { getPlan } from '../../core/modules/upgrade/plan-store.js';
import type { Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import { BlockPipeline, type DecidedBlock } from '../../runtime/chain/block-pipeline.js';
import { BlockWriter } from '../../runtime/chain/block-writer.js';
import { EvidencePool } from '../../runtime/chain/evidence-pool.js';
import { BlockFiller } from '../../runtime/chain/block-filler.js';
import { ExternalBlocks } from '../../runtime/chain/external-blocks.js';
import { lastHalt } from '../../runtime/chain/last-halt.js';
import { haltOfFailedUpgrade } from '../../runtime/chain/failed-upgrade.js';
import { Checkpointer, dueCheckpoint, rebuildTrees } from '../../runtime/rebuild/rebuild-trees.js';
import type { Executor } from '../../runtime/executor/executor.js';
import { createRestartingExecutor, type RestartingExecutor } from '../../runtime/executor/restarting-executor.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { hasSpaceFor } from './disk-watch.js';
import type { Foundation } from './foundation.js';
import { skippedUpgrades } from './skipped-upgrades.js';

/** The part of the node that executes blocks. */
export interface ExecutionParts {
  readonly executor: RestartingExecutor;
  readonly checkpointer: Checkpointer;
  readonly pipeline: BlockPipeline;
  readonly writer: BlockWriter;
  /** Executes blocks that an external engine decided. */
  readonly outside: ExternalBlocks;
  /** Executes transactions before their block is built. */
  readonly filling: BlockFiller;
  readonly evidence: EvidencePool;
  /**
   * Executes a block that the log has as decided but not executed: this start may have the upgrade handler, or skip
   * the plan.
   */
  resume(): Promise<void>;
}

/** Starts the executor at the head of the chain, and gives the app hash of the head to the ledger. */
export async function startExecution(
  { host, limits, home, views, undo, supervision }: Foundation,
  pool: Pick<MempoolView, 'isChecked' | 'reap' | 'pendingGas'>,
): Promise<ExecutionParts> {
  const { crypto, onReplay } = host;
  const { store, log, location } = home;
  const { chain, streams, ledger, applicationOptions } = views;
  let replayedHash = chain.state.appHash;
  let replayedWrites = 0;
  const prepare = async (fresh: Executor): Promise<void> => {
    replayedHash = await rebuildTrees({
      log,
      store,
      crypto,
      executor: fresh,
      open: () => fresh.open(applicationOptions, location),
      genesisWrites: chain.started.writes,
      through: ledger.state.height,
      checkpoint: dueCheckpoint(ledger.state.height),
      progress: (height, writes) => {
        replayedWrites += writes;
        onReplay?.(height, ledger.state.height);
      },
    });
  };
  const failedUpgrade = (height: Height, reason: string): Promise<FinalizeBlockResult | undefined> =>
    haltOfFailedUpgrade(
      { store, limits, upgradeHeight: ledger.upgradeHeight, skipped: applicationOptions.skipUpgradeHeights },
      height,
      reason,
    );
  const executor = await createRestartingExecutor({
    create: () => host.createExecutor(store),
    prepare,
    attempts: 2,
    onLoss: (reason) => host.log.error('executor restarted', { reason }),
    onLost: failedUpgrade,
    onUpgraded: async (height, writes) =>
      hasSpaceFor(await host.diskSpace?.(location), writes)
        ? undefined
        : failedUpgrade(height, 'the disk is full; make space, then start again'),
  });
  undo.push(() => executor.stop());
  ledger.completed(replayedHash);
  const checkpointer = new Checkpointer(store, executor);
  if (replayedWrites > 0) checkpointer.follow(ledger.state.height, replayedWrites);
  undo.push(() => checkpointer.idle());
  const evidence = new EvidencePool({ chain: ledger, log, crypto });
  const filling = new BlockFiller({ crypto, ledger, executor, pool, evidence });
  const plan = await readStateAt(store, 'latest', getPlan, limits);
  const tellSkipped = skippedUpgrades(plan.ok ? plan.value : undefined, applicationOptions.skipUpgradeHeights, (line) =>
    host.log.info(line),
  );
  const writer = new BlockWriter({
    log,
    store,
    history: chain.history,
    ledger,
    crypto,
    onExecuted: (execution) => {
      const { upgradeApplied, state } = execution;
      if (upgradeApplied !== undefined)
        host.log.info(`applying upgrade "${upgradeApplied}" at height: ${state.height}`);
      tellSkipped(execution);
      streams.executed(execution);
    },
  });
  const shared = {
    writer,
    ledger,
    executor,
    crypto,
    isChecked: (hash: string) => pool.isChecked(hash),
    onHalt: (reason: string) => {
      supervision.refused(reason);
      host.log.error(reason);
    },
  };
  const pipeline = new BlockPipeline({ ...shared, isPrepared: (hash) => filling.isPrepared(hash) });
  const outside = new ExternalBlocks({ ...shared, log, halt: () => supervision.halt() });
  return {
    executor,
    checkpointer,
    pipeline,
    writer,
    outside,
    filling,
    evidence,
    async resume() {
      const { decided } = log.head();
      if (decided <= ledger.state.height) return;
      const halt = await lastHalt(log, decided);
      await pipeline.resume(lastDecision(log, crypto), halt !== undefined);
      // No new record will report a halt that is already in the log.
      if (log.head().executed < decided) supervision.halt();
    },
  };
}

/** The last decided block, read from the log. */
function lastDecision(log: EventLog, crypto: Crypto): DecidedBlock {
  const at = log.blockAt(log.head().decided);
  if (at === undefined)
    throw new CorruptionError('the last decided block is missing', { position: log.head().position });
  const { block, blockId, commit } = decisionOf(crypto, at.decided.event);
  invariant(commit !== undefined, 'this program has decided the block');
  return { block, encoded: at.decided.event.data.block, blockId, commit, trace: [] };
}
