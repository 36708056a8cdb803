import { bytesOfDigits } from '../../core/bytes/hex.js';
import { FormatError } from '../bytes.js';
import { CorruptionError } from '../errors.js';
import { OutOfOrderError } from './head.js';
import { tableOf } from '../rows/tables.js';

/** A problem found by verification, and where it is. */
export interface LogProblem {
  /** Name of the table, if known. */
  readonly table?: string;
  readonly position?: bigint;
  /** Key of the row, hex. */
  readonly key?: string;
  readonly file?: string;
  readonly problem: string;
}

/** Converts an error to a problem. */
export function problemOf(error: unknown): LogProblem {
  if (error instanceof CorruptionError) {
    const key = error.where.key === undefined ? undefined : bytesOfDigits(error.where.key);
    return { ...(key && { table: tableOf(key) }), ...error.where, problem: error.message };
  }
  if (error instanceof FormatError || error instanceof OutOfOrderError || error instanceof RangeError)
    return { problem: error.message };
  return { problem: error instanceof Error ? error.message : String(error) };
}
