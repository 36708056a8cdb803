/** Pruned record rows against which rows that are kept are encoded, in one row of their own (`RELICS_KEY`). */
import { ByteReader, ByteWriter } from '../bytes.js';

/** Relics that are kept: the one before the last is needed until the row that is encoded against it is deleted. */
const KEPT = 2;

/** A record row as it was stored. */
export interface Relic {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The row with the newest relic in front of the present ones, as many as are needed. */
export function encodeRelics(newest: Relic, present: readonly Relic[]): Uint8Array {
  const to = new ByteWriter();
  for (const { position, bytes } of [newest, ...present].slice(0, KEPT)) {
    to.uint(position);
    to.bytes(bytes);
  }
  return to.finish();
}

/** The relics of a row, the newest first; none without it. Throws FormatError. */
export function decodeRelics(row: Uint8Array | undefined): readonly Relic[] {
  const relics: Relic[] = [];
  if (row === undefined) return relics;
  const from = new ByteReader(row);
  while (from.remaining > 0) relics.push({ position: from.count(), bytes: from.bytes() });
  return relics;
}
