/**
 * Pruned record rows that are still needed because kept rows are encoded against them; stored together in one row
 * (`RETAINED_ROWS_KEY`).
 */
import { ByteReader, ByteWriter } from '../bytes.js';

/** Number of retained rows: the second last one is needed until the row encoded against it is deleted. */
const KEPT = 2;

/** A record row as it was stored. */
export interface RetainedRow {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** Encodes the retained rows, `newest` first, and drops those no longer needed. */
export function encodeRetainedRows(newest: RetainedRow, present: readonly RetainedRow[]): Uint8Array {
  const to = new ByteWriter();
  for (const { position, bytes } of [newest, ...present].slice(0, KEPT)) {
    to.uint(position);
    to.bytes(bytes);
  }
  return to.finish();
}

/** Decodes the retained rows, newest first; none when the row is absent. Throws FormatError. */
export function decodeRetainedRows(row: Uint8Array | undefined): readonly RetainedRow[] {
  const retained: RetainedRow[] = [];
  if (row === undefined) return retained;
  const from = new ByteReader(row);
  while (from.remaining > 0) retained.push({ position: from.count(), bytes: from.bytes() });
  return retained;
}
