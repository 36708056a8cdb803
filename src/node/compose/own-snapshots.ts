import { dirname, join } from 'node:path';
import { invariant } from '../../core/errors.js';
import type { NodeStarted } from '../../core/log-events.js';
import { toHeight } from '../../core/primitives.js';
import { checkpointBytes } from '../../store/checkpoints/checkpoints.js';
import { recordHash, recordsBytes } from '../../store/log/read-records.js';
import { snapshotChainOf, type SnapshotChain } from '../../runtime/snapshots/snapshot-chain.js';
import { anchoredState } from '../../runtime/chain/restored-chain.js';
import { AnchorTaker } from '../../runtime/pruning/anchor-taker.js';
import { VERSION } from '../../runtime/host/version.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { SnapshotTaker } from '../../runtime/snapshots/taker.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';

/** Callbacks of the snapshot taker, which works behind the head. */
export type TakenSnapshots = Pick<SnapshotTaker, 'committed' | 'reverted'>;

/**
 * Composes the snapshots that a node takes by itself: for state sync, unless an engine requests them, and for anchors
 * if blocks are pruned.
 */
export function composeOwnSnapshots(foundation: Foundation, parts: Pick<ExecutionParts, 'executor'>): TakenSnapshots {
  const { options, undo, views } = foundation;
  const takers: TakenSnapshots[] = [];
  if (options.engine === undefined && options.snapshots.interval > 0n) {
    const taker = forOthers(foundation, parts);
    undo.push(() => taker.stop());
    takers.push(taker);
  }
  const { blocks, seconds } = options.retained;
  if (blocks !== undefined || seconds !== undefined) {
    const taker = forAnchors(foundation, parts);
    undo.push(() => taker.stop());
    views.records.attach(taker);
    takers.push(taker);
  }
  return {
    committed: (height) => takers.forEach((taker) => taker.committed(height)),
    reverted: (height) => takers.forEach((taker) => taker.reverted(height)),
  };
}

/** Snapshot files for state sync. Removes those of blocks that this chain does not have, from before a reset. */
function forOthers(foundation: Foundation, { executor }: Pick<ExecutionParts, 'executor'>): SnapshotTaker {
  const { options, host, home, views } = foundation;
  const taker = new SnapshotTaker({
    ...options.snapshots,
    store: new SnapshotStore(join(dirname(home.location), 'snapshots')),
    executor,
    timers: host.timers,
    log: host.log,
    chain: () => chainAtHead(foundation),
  });
  taker.reverted(views.ledger.state.height);
  return taker;
}

/** Snapshots (anchors) after which the records of pruned blocks are removed. */
function forAnchors(foundation: Foundation, { executor }: Pick<ExecutionParts, 'executor'>): AnchorTaker {
  const { options, host, home, views } = foundation;
  const { records, ledger } = views;
  const first = views.chain.started.initialHeight;
  return new AnchorTaker({
    executor,
    timers: host.timers,
    write: (rows) => home.log.writeRows(() => rows),
    chain: () => anchoredState(ledger.state, options.engine === undefined ? chainAtHead(foundation).head : undefined),
    started: startOf(foundation),
    last: () => (records.isWaiting ? undefined : (records.anchored ?? toHeight(first - 1n))),
    bytes: () => checkpointBytes(home.store),
    room: () => recordsBytes(home.store, home.log.keptFrom()),
    onDiscard: () => records.scheduleSweep(),
    ...(host.anchorBlocks !== undefined && { blocks: host.anchorBlocks }),
  });
}

/** The data of the NodeStarted event of this process. */
export function startOf({ views: { applicationOptions } }: Pick<Foundation, 'views'>): NodeStarted['data'] {
  const { handlers, skipUpgradeHeights } = applicationOptions;
  return { version: VERSION, appVersion: handlers[0] ?? '', skipUpgradeHeights };
}

function chainAtHead({ host, home, views }: Foundation): SnapshotChain {
  const { ledger, chain } = views;
  const { state } = ledger;
  const header = ledger.block(state.height)?.block.header;
  const record = home.log.recordOf(state.height)?.executed?.record;
  const hash = record === undefined ? undefined : recordHash(home.store, host.crypto, record);
  invariant(header !== undefined && hash !== undefined, 'the block at the head is in the log');
  return snapshotChainOf(chain.started, state, header, hash);
}
