/** Searches for corruption: at start by comparing the state with its trees, later by scanning the storage. */
import { scanHistory, scanLog, scanRows, scanState } from '../../runtime/chain/scanned-parts.js';
import { StateCheck } from '../../runtime/chain/state-check.js';
import { checkOutsideReverts } from '../../runtime/chain/check-outside-reverts.js';
import { StorageScan } from '../../runtime/chain/storage-scan.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';

/** Compares the state with its trees, in part in the background; corruption stops the node. */
export function checkState({ host, views, supervision }: Foundation, { executor }: ExecutionParts): StateCheck {
  return new StateCheck({
    executor: checkOutsideReverts(executor, views.ledger),
    height: () => views.ledger.state.height,
    clock: host.timerClock,
    timers: host.timers,
    onDamage: (error) => supervision.fail('the state is damaged', error),
  });
}

/** Starts the storage scan; corruption stops the node. */
export function scanStorage({ host, home, views, supervision, undo }: Foundation, { executor }: ExecutionParts): void {
  const { store, log } = home;
  const { ledger, chain } = views;
  const isReverting = (): boolean => ledger.isReverting;
  const scan = new StorageScan({
    parts: [
      () => scanState(checkOutsideReverts(executor, ledger), () => ledger.state.height),
      () => scanLog({ store, crypto: host.crypto, log, isReverting }),
      () => scanHistory(store, () => chain.history.keys(), isReverting),
      () => scanRows(store),
    ],
    timers: host.timers,
    onDamage: (error) => supervision.fail('the storage is damaged', error),
  });
  undo.push(() => scan.stop());
  scan.begin();
}
