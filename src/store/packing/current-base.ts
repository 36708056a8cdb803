import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { baseOf, type Base } from './delta.js';

/** The base against which rows of a kind are encoded at present. */
export interface CurrentBase {
  readonly id: number;
  readonly base: Base;
  /** Number of rows encoded against it. */
  rows: number;
  /** Length of the shortest delta, bytes. */
  shortest: number;
  /** Number of consecutive recent rows with a poor delta. */
  poor: number;
}

/** A new base, not used yet. */
export function newBase(id: number, bytes: Uint8Array): CurrentBase {
  return { id, base: baseOf(bytes), rows: 0, shortest: bytes.length, poor: 0 };
}

/**
 * Records a row of `whole` bytes with a delta of `length` bytes. False when the base should be replaced. A new chain
 * replaces its bases quickly; later a base is kept for hundreds of rows.
 */
export function fitsBase(present: CurrentBase, length: number, whole: number): boolean {
  present.rows += 1;
  present.shortest = Math.min(present.shortest, length);
  const isPoor = length * 2 > whole || length > present.shortest * 1.25 + 32;
  present.poor = isPoor ? present.poor + 1 : 0;
  const { rowsOfBase } = FIXED_LIMITS;
  return present.poor < 8 || present.rows < Math.min(rowsOfBase, 8 << Math.min(present.id, 16));
}
