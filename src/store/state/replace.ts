import { be64 } from '../../core/bytes/big-endian.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { allRows } from '../rows/all-rows.js';
import { FLOOR_KEY, latestKey, stateBounds } from './tables.js';
import { encodeVersion, versionAfter } from './version-row.js';

/** A value of a state that takes the place of the present one. */
export interface ReplacingValue {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * The rows of a state after `height` that takes the place of everything that the tables hold. `height` is then the
 * lowest readable one.
 */
export async function replacingRows(
  store: Pick<KeyValueStore, 'range'>,
  height: Height,
  values: readonly ReplacingValue[],
): Promise<readonly StoreOperation[]> {
  const rows = [...(await replacedRows(store, height))];
  for (const value of values) rows.push(replacingRow(height, value));
  return rows;
}

/** The rows that come before those of the values: what the tables hold goes. */
export async function replacedRows(
  store: Pick<KeyValueStore, 'range'>,
  height: Height,
): Promise<readonly StoreOperation[]> {
  const { start, end } = stateBounds();
  const rows = (await allRows(store, start, end)).map(({ key }): StoreOperation => ({ type: 'delete', key }));
  return [...rows, { type: 'put', key: FLOOR_KEY, value: be64(height) }];
}

/** The row of one value of such a state. */
export function replacingRow(height: Height, { store, key, value }: ReplacingValue): StoreOperation {
  return { type: 'put', key: latestKey(store, key), value: encodeVersion(versionAfter(undefined, height, value)) };
}
