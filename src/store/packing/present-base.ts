import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { baseOf, type Base } from './difference.js';

/** The base against which rows of a kind are encoded now. */
export interface Present {
  readonly id: number;
  readonly base: Base;
  /** Rows that were encoded against it. */
  rows: number;
  /** Bytes of the shortest of them. */
  shortest: number;
  /** The last rows in succession that another base might serve better. */
  poor: number;
}

/** A base against which no row was encoded yet. */
export function presentOf(id: number, bytes: Uint8Array): Present {
  return { id, base: baseOf(bytes), rows: 0, shortest: bytes.length, poor: 0 };
}

/**
 * Counts a row of `whole` bytes whose difference has `length`. False when one of the last rows would be a better base.
 * A new chain soon finds a base; later, one is kept for some hundred rows.
 */
export function isServed(present: Present, length: number, whole: number): boolean {
  present.rows += 1;
  present.shortest = Math.min(present.shortest, length);
  const isPoor = length * 2 > whole || length > present.shortest * 1.25 + 32;
  present.poor = isPoor ? present.poor + 1 : 0;
  const { rowsOfBase } = FIXED_LIMITS;
  return present.poor < 8 || present.rows < Math.min(rowsOfBase, 8 << Math.min(present.id, 16));
}
