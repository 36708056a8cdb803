import { be64 } from '../../core/bytes/big-endian.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { allRows } from '../rows/all-rows.js';
import { FLOOR_KEY, latestKey, stateBounds } from './tables.js';
import { encodeVersion, versionAfter } from './version-row.js';

/** A value of a state that replaces the present one. */
export interface ReplacingValue {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Operations that replace the whole state, history included, by `values` as of `height`, which becomes the lowest
 * readable height.
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

/** The first part of `replacingRows`: delete everything and set the lowest readable height. */
export async function replacedRows(
  store: Pick<KeyValueStore, 'range'>,
  height: Height,
): Promise<readonly StoreOperation[]> {
  const { start, end } = stateBounds();
  const rows = (await allRows(store, start, end)).map(({ key }): StoreOperation => ({ type: 'delete', key }));
  return [...rows, { type: 'put', key: FLOOR_KEY, value: be64(height) }];
}

/** Operation that writes one value of the new state. */
export function replacingRow(height: Height, { store, key, value }: ReplacingValue): StoreOperation {
  return { type: 'put', key: latestKey(store, key), value: encodeVersion(versionAfter(undefined, height, value)) };
}
