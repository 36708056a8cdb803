import { equal } from '../../core/bytes/bytes.js';
import { invariant, refusalOfFailure } from '../../core/errors.js';
import type { Outcome } from '../../core/node-api.js';
import { toHeight, toPosition, type Height } from '../../core/primitives.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { devRows } from '../../store/dev/dev-rows.js';
import { revertIndex } from '../../store/index-rows/index-revert.js';
import { abandonedHeights } from '../../store/state/revert.js';
import { firstHeight } from '../../runtime/chain/restored-chain.js';
import { revertRows } from '../../runtime/chain/revert-rows.js';
import { blockEvents } from '../../runtime/chain/indexer.js';
import type { ExecutionParts } from '../compose/execution.js';
import type { Foundation } from '../compose/foundation.js';
import type { AbandonedBlock } from '../ethereum/blocks.js';
import type { DevClock } from './dev-clock.js';
import { betweenBlocks, NO_BLOCKS, type BlockProducer } from './mine.js';

/** The parts of a node that a revert changes. */
export interface RevertOptions {
  readonly foundation: Pick<Foundation, 'host' | 'limits' | 'supervision' | 'home' | 'views'>;
  readonly execution: Pick<ExecutionParts, 'executor' | 'checkpointer'>;
  readonly consensus: BlockProducer;
  readonly clock: DevClock;
  /**
   * True if the next queued command is a revert, too. Sends then keep waiting, because that revert would drop them.
   */
  readonly isRevertNext: () => boolean;
}

/** The height to revert to, and the snapshots that become invalid. */
export interface Target {
  readonly height: Height;
  /** The first snapshot that becomes invalid; later ones do, too. */
  readonly snapshot: bigint;
  readonly usedUp: readonly bigint[];
}

/**
 * Reverts the chain to a height: pauses block production and sends, reverts the attribute index, writes the Reverted
 * event and every row that depends on it in one batch, resets all data in memory, and starts consensus for the next
 * height. After a crash the home has either the old or the new branch.
 */
export function revert(options: RevertOptions, target: Target): Promise<Outcome<undefined>> {
  return betweenBlocks(options.consensus, () => revertUnderLease(options, target));
}

/** Reverts for a caller that already holds the lease of block production. */
export async function revertUnderLease(options: RevertOptions, target: Target): Promise<Outcome<undefined>> {
  const { consensus, foundation } = options;
  const { supervisor, fail } = foundation.supervision;
  if (consensus.view.mode() === 'halted') return NO_BLOCKS;
  const { indexer, pruner } = foundation.views;
  supervisor.send({ type: 'revert' });
  try {
    await indexer.hold();
    await pruner.hold();
    return await goBack(options, target);
  } catch (error) {
    fail('going back failed', error);
    return { ok: false, error: refusalOfFailure(error) };
  } finally {
    pruner.release();
    indexer.release();
    if (!options.isRevertNext()) supervisor.send({ type: 'reverted' });
  }
}

async function goBack(
  { foundation, execution, clock }: RevertOptions,
  { height, snapshot, usedUp }: Target,
): Promise<Outcome<undefined>> {
  const { host, limits, home, views } = foundation;
  const { crypto, timers } = host;
  const { store, log } = home;
  const { ledger, chain } = views;
  const { started, history } = chain;
  const { executor, checkpointer } = execution;
  await checkpointer.idle();
  const head = ledger.state.height;
  const pause = (): Promise<void> => timers.yield();
  const made = await revertRows({
    store,
    history,
    crypto,
    limits,
    head,
    to: height,
    lowest: blocksFloor(store).lowest,
    block: (at) => ledger.block(at),
    results: (at) => ledger.results(at),
    pause,
  });
  if (!made.ok) return made;
  await revertIndex({
    store,
    first: firstHeight(log, started),
    to: height,
    events: (at) => blockEvents(log, at),
    pause,
  });
  const appHash = height === head ? ledger.state.appHash : ledger.block(toHeight(height + 1n))?.block.header?.appHash;
  const time = height < started.initialHeight ? undefined : ledger.context(height).time;
  const reverted = { type: 'Reverted', v: 1, data: { toHeight: height, snapshot } } as const;
  // As in anvil, the clock is set to the time of the new head and continues from there.
  const shift = time === undefined ? clock.shift : clock.shiftFor(time);
  const shifted = { type: 'TimeShifted', v: 1, data: { shift } } as const;
  invariant(appHash !== undefined, 'the header above names the app hash');
  ledger.beginRevert(height, appHash);
  views.ethereumBlocks?.abandon(await blocksWithLogs(foundation, head, height));
  await log.append(
    [{ event: reverted }, { event: shifted }],
    (first) => [...devRows(reverted, first, usedUp), ...devRows(shifted, toPosition(first + 1n))],
    { before: made.value },
  );

  clock.move(shift, height);
  const kept = await executor.rollback(height);
  // The trees of the target height are no longer kept.
  if (kept === undefined) await executor.restart();
  else invariant(equal(kept, appHash), 'the trees went back to the app hash that the header names');
  return { ok: true, value: undefined };
}

/**
 * The blocks above `to` with logs, newest first, each with the transactions that emitted them: subscribers and
 * filters receive these logs as removed.
 */
async function blocksWithLogs(
  { host, home: { log }, views: { ledger, ethereumBlocks } }: RevertOptions['foundation'],
  head: Height,
  to: Height,
): Promise<readonly AbandonedBlock[]> {
  const found: AbandonedBlock[] = [];
  let seen = 0;
  for (const height of abandonedHeights(head, to)) {
    seen += 1;
    if (seen % FIXED_LIMITS.revertBlocksPerTurn === 0) await host.timers.yield();
    // Skip the many empty blocks: they have no logs.
    if ((ledger.block(height)?.block.data?.txs.length ?? 0) === 0) continue;
    await host.timers.yield();
    const block = ethereumBlocks?.leaving(height);
    const position = log.recordOf(height)?.executed?.position;
    if (block === undefined || position === undefined) continue;
    const transactions = block.transactions.filter(({ receipt }) => receipt.logCount > 0);
    const { hash, timestamp } = block;
    if (transactions.length > 0) found.push({ block: { height, hash, timestamp, transactions }, position });
  }
  return found;
}
