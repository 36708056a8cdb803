import type { DevEvent } from '../../core/log-events.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import type { Position } from '../../core/primitives.js';
import { devRows } from '../../store/dev/dev-rows.js';

/** Derives the dev-mode rows from the log; tracks the valid snapshot ids, because a revert invalidates some. */
export class DevRowsOfLog {
  #snapshots: readonly bigint[] = [];

  /** Sets the snapshots taken before an anchor, from the home's rows: the pruned records would list them. */
  anchored(ids: readonly bigint[]): void {
    this.#snapshots = ids;
  }

  /** Rows of the next dev-mode event. */
  rows(event: DevEvent, position: Position): readonly StoreOperation[] {
    switch (event.type) {
      case 'TimeShifted':
        return devRows(event, position);
      case 'SnapshotTaken':
        this.#snapshots = [...this.#snapshots, event.data.id];
        return devRows(event, position);
      case 'Reverted': {
        const { snapshot } = event.data;
        const usedUp = this.#snapshots.filter((id) => id >= snapshot);
        this.#snapshots = this.#snapshots.filter((id) => id < snapshot);
        return devRows(event, position, usedUp);
      }
    }
  }
}
