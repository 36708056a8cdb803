import type { DevEvent } from '../../core/log-events.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import type { Position } from '../../core/primitives.js';
import { devRows } from '../../store/dev/dev-rows.js';

/** The rows of dev mode that the log gives, with the snapshots of which a revert uses up some. */
export class DevRowsOfLog {
  #snapshots: readonly bigint[] = [];

  /** An anchor stands for the records in which snapshots may have been taken: those that the home has count. */
  anchored(ids: readonly bigint[]): void {
    this.#snapshots = ids;
  }

  /** The rows of the next event of dev mode. */
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
