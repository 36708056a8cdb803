import { dirname, join } from 'node:path';
import { invariant } from '../../core/errors.js';
import { recordHash } from '../../store/read-records.js';
import { snapshotChainOf } from '../../runtime/snapshots/snapshot-chain.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { SnapshotTaker } from '../../runtime/snapshots/taker.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';

/**
 * Composes the snapshots of a node that makes its own blocks; undefined where an engine makes them, or where none is
 * asked for. Those of blocks that this chain does not have, from before a reset, are removed.
 */
export function composeOwnSnapshots(
  { options, host, home, views, undo }: Foundation,
  { executor }: Pick<ExecutionParts, 'executor'>,
): SnapshotTaker | undefined {
  const { engine, snapshots } = options;
  if (engine !== undefined || snapshots.interval === 0n) return undefined;
  const { store: database, log, location } = home;
  const { ledger, chain } = views;
  const taker = new SnapshotTaker({
    ...snapshots,
    store: new SnapshotStore(join(dirname(location), 'snapshots')),
    executor,
    timers: host.timers,
    log: host.log,
    chain() {
      const { state } = ledger;
      const header = ledger.block(state.height)?.block.header;
      const record = log.recordOf(state.height)?.executed?.record;
      const hash = record === undefined ? undefined : recordHash(database, host.crypto, record);
      invariant(header !== undefined && hash !== undefined, 'the block at the head is in the log');
      return snapshotChainOf(chain.started, state, header, hash);
    },
  });
  undo.push(() => taker.stop());
  taker.wentBack(ledger.state.height);
  return taker;
}
