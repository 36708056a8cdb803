import { hex } from '../../core/bytes/hex.js';
import type { Damage, StoreKey } from '../../core/multistore/check-values.js';
import { CorruptionError } from '../../store/errors.js';
import { latestKey } from '../../store/state/tables.js';
import { tableOf } from '../../store/rows/tables.js';

const PROBLEMS: Readonly<Record<Damage, string>> = {
  missing: 'row is missing',
  different: 'row differs from the trees',
  unknown: 'row is not in the trees',
};

/** The CorruptionError for a state row that disagrees with the trees. */
export function stateDamaged({ store, key }: StoreKey, damage: Damage): CorruptionError {
  const row = latestKey(store, key);
  return new CorruptionError(`table ${tableOf(row)}: ${PROBLEMS[damage]}`, { key: hex(row) });
}
