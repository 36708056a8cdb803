/**
 * Postings of a search as plain numbers, because a search passes millions of them. A *unit* is the step of a search: a
 * block (kind `tx`) or a window of blocks (kind `block`). An *event code* is the transaction index (or the block's
 * distance from the window start) times `VARIANT_UNIT`, plus the event number.
 */
import { toHeight, type Height } from '../../core/primitives.js';
import { windowStartNumber } from './posting-key.js';
import { VARIANT_UNIT } from './posting-rows.js';
import type { PostingKind } from './posting.js';

/** A matching transaction, or a matching block (`index` is 0). */
export interface Found {
  readonly height: Height;
  readonly index: number;
}

/** The postings of one block, or the block events of one window. */
export interface Unit {
  /** Height of the block, or first height of the window. */
  readonly at: number;
  /** Event codes, ascending and distinct. */
  readonly codes: readonly number[];
}

/** Units in ascending order. */
export interface UnitStream {
  /** The first unit at or above `from`; undefined when there is none. `from` must not decrease between calls. */
  seek(from: number): Unit | undefined | Promise<Unit | undefined>;
}

/** Heights of a search, both ends included. */
export interface Span {
  readonly low: Height;
  readonly high: Height;
}

/** The unit that contains a height. */
export function unitOf(kind: PostingKind, height: number): number {
  return kind === 'tx' ? height : windowStartNumber(height);
}

/** Event code of an event of transaction `index`, or of the block at distance `index` from the window start. */
export function eventCode(index: number, event: number): number {
  return index * VARIANT_UNIT + event;
}

/** The transaction or block that an event code of unit `at` belongs to. */
export function matchOf(kind: PostingKind, at: number, code: number): Found {
  const index = indexOfCode(code);
  return kind === 'tx' ? { height: toHeight(BigInt(at)), index } : { height: toHeight(BigInt(at + index)), index: 0 };
}

/** Transaction index, or block distance, of an event code. */
export function indexOfCode(code: number): number {
  return Math.floor(code / VARIANT_UNIT);
}

/** Sorts event codes and removes duplicates. */
export function ordered(codes: number[]): readonly number[] {
  let isOrdered = true;
  for (let at = 1; isOrdered && at < codes.length; at += 1) isOrdered = (codes[at - 1] ?? 0) < (codes[at] ?? 0);
  if (isOrdered) return codes;
  codes.sort((left, right) => left - right);
  return codes.filter((code, at) => at === 0 || code !== codes[at - 1]);
}
