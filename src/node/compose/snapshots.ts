import { invariant } from '../../core/errors.js';
import type { SnapshotContent } from '../../core/multistore/snapshot-trees.js';
import { VERSION } from '../../runtime/host/version.js';
import { restoredData, restoredRows, restoredState, stateOf } from '../../runtime/chain/restored-chain.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';
import { type ProvenSnapshot, SnapshotRestorer } from '../../runtime/snapshots/restorer.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { SnapshotTaker } from '../../runtime/snapshots/taker.js';
import { loadVersionOf } from '../../runtime/load-preset.js';

/** The parts for state sync. */
export interface StateSync {
  readonly store: SnapshotStore;
  readonly taker: SnapshotTaker;
  readonly restorer: SnapshotRestorer;
}

/** Composes state sync with an external engine: taking snapshots, serving them, and restoring one. */
export function composeSnapshots(
  foundation: Foundation,
  execution: Pick<ExecutionParts, 'executor' | 'checkpointer'>,
): StateSync {
  const { options, host, undo, home, views } = foundation;
  const { crypto, timers, log } = host;
  const store = new SnapshotStore(home.paths.snapshots);
  const { executor } = execution;
  const taker = new SnapshotTaker({ ...options.snapshots, store, executor, timers, log });
  undo.push(() => taker.stop());
  const restorer = new SnapshotRestorer({
    crypto,
    log,
    hasBlocks: () => home.log.head().decided > (home.log.restored()?.event.data.height ?? 0n),
    initialHeight: views.chain.started.initialHeight,
    restore: (snapshot, content) => restore(foundation, execution, snapshot, content),
  });
  return { store, taker, restorer };
}

/**
 * Replaces the genesis state with that of a snapshot: one batch writes the event and every row that depends on it,
 * then the data in memory is updated. After a crash the home has either the old or the new state.
 */
async function restore(
  { host, home, views, supervision }: Foundation,
  { executor, checkpointer }: Pick<ExecutionParts, 'executor' | 'checkpointer'>,
  snapshot: ProvenSnapshot,
  content: SnapshotContent,
): Promise<void> {
  const { crypto } = host;
  const { store, log } = home;
  const { ledger, indexer, pruner, chain, applicationOptions } = views;
  const { started, history } = chain;
  const { supervisor, fail } = supervision;
  supervisor.send({ type: 'revert' });
  try {
    await indexer.idle();
    await pruner.hold();
    await checkpointer.idle();
    const values = stateOf(content);
    const data = restoredData(crypto, await loadVersionOf(started), started, snapshot, values);
    const state = restoredState(crypto, started, data);
    const rows = await restoredRows(store, history, state, content);
    views.adoptHandlers(values);
    const { handlers, skipUpgradeHeights } = applicationOptions;
    const node = { version: VERSION, appVersion: handlers[0] ?? '', skipUpgradeHeights };
    ledger.beginRevert(data.height, data.appHash);
    await log.append(
      [{ event: { type: 'SnapshotRestored', v: 1, data } }, { event: { type: 'NodeStarted', v: 1, data: node } }],
      rows,
      { sync: true },
    );
    invariant(ledger.state.height === data.height, 'the record of the snapshot was shown');
    await executor.restart();
  } catch (error) {
    fail('the snapshot could not be restored', error);
    throw error;
  } finally {
    pruner.release();
    supervisor.send({ type: 'reverted' });
  }
}
