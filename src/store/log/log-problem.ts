import { bytesOfDigits } from '../../core/bytes/hex.js';
import { FormatError } from '../bytes.js';
import { CorruptionError } from '../errors.js';
import { OutOfOrderError } from './head.js';
import { tableOf } from '../rows/tables.js';

/** One problem, and its place. */
export interface LogProblem {
  /** Name of the table, where it is known. */
  readonly table?: string;
  readonly position?: bigint;
  /** Key of the row, hex. */
  readonly key?: string;
  readonly file?: string;
  readonly problem: string;
}

/** The problem that an error tells of, with its place. */
export function problemOf(error: unknown): LogProblem {
  if (error instanceof CorruptionError) {
    const key = error.where.key === undefined ? undefined : bytesOfDigits(error.where.key);
    return { ...(key && { table: tableOf(key) }), ...error.where, problem: error.message };
  }
  if (error instanceof FormatError || error instanceof OutOfOrderError || error instanceof RangeError)
    return { problem: error.message };
  return { problem: error instanceof Error ? error.message : String(error) };
}
