/** Searches for damage: a start compares the state with its trees, and a running node reads its storage. */
import { scanHistory, scanLog, scanRows, scanState } from '../../runtime/chain/scanned-parts.js';
import { StateCheck } from '../../runtime/chain/state-check.js';
import { checkOutsideReverts } from '../../runtime/chain/check-outside-reverts.js';
import { StorageScan } from '../../runtime/chain/storage-scan.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';

/** The comparison of a start; damage that it finds later ends the node. */
export function checkState({ host, views, supervision }: Foundation, { executor }: ExecutionParts): StateCheck {
  return new StateCheck({
    executor: checkOutsideReverts(executor, views.ledger),
    height: () => views.ledger.state.height,
    clock: host.timerClock,
    timers: host.timers,
    onDamage: (error) => supervision.fail('the state is damaged', error),
  });
}

/** Begins the scan; damage that comes while the node runs ends it. */
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
