/** Postings of a search, packed into numbers: a search passes millions of them. */
import { toHeight, type Height } from '../../core/primitives.js';
import { windowAt } from './posting-key.js';
import { VARIANT_UNIT } from './posting-rows.js';
import type { PostingKind } from './posting.js';

/** A transaction that was found; for blocks `index` is 0. */
export interface Found {
  readonly height: Height;
  readonly index: number;
}

/** The postings of one step of a search: those of a block, or the block events of a window. */
export interface Unit {
  /** The height, or the one at which the window begins. */
  readonly at: number;
  /** The events, ascending and each once. */
  readonly codes: readonly number[];
}

/** Units of ascending heights. */
export interface UnitStream {
  /** The first unit at or above `from`, which never goes back; undefined when there is none. */
  seek(from: number): Unit | undefined | Promise<Unit | undefined>;
}

/** Heights of a search, both ends included. */
export interface Span {
  readonly low: Height;
  readonly high: Height;
}

/** The unit of a height. */
export function unitOf(kind: PostingKind, height: number): number {
  return kind === 'tx' ? height : windowAt(height);
}

/** An event of the transaction with `index`, or of the block that is so far after the beginning of its unit. */
export function codeOf(index: number, event: number): number {
  return index * VARIANT_UNIT + event;
}

/** The transaction or block of an event of the unit `at`. */
export function carrierOf(kind: PostingKind, at: number, code: number): Found {
  const index = indexOf(code);
  return kind === 'tx' ? { height: toHeight(BigInt(at)), index } : { height: toHeight(BigInt(at + index)), index: 0 };
}

/** The index of the transaction, or the distance of the block, of an event. */
export function indexOf(code: number): number {
  return Math.floor(code / VARIANT_UNIT);
}

/** The codes of a unit, ascending and each once. */
export function ordered(codes: number[]): readonly number[] {
  let isOrdered = true;
  for (let at = 1; isOrdered && at < codes.length; at += 1) isOrdered = (codes[at - 1] ?? 0) < (codes[at] ?? 0);
  if (isOrdered) return codes;
  codes.sort((left, right) => left - right);
  return codes.filter((code, at) => at === 0 || code !== codes[at - 1]);
}
