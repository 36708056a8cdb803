import { toHeight, type Height } from '../../core/primitives.js';

/**
 * The first version of a key in each span of blocks that holds a version and the one before it: the largest span first,
 * in blocks from the beginning of the span. A span of level n has 4^n blocks and begins at a multiple of 4^n; the
 * largest is of level `LEVELS`. A key that every block changes has zeros.
 */
export type Spans = readonly number[];

/** Levels of spans; after 4^12 blocks a reader goes through the largest spans one by one. */
export const LEVELS = 12;

/** Spans of a version without one before. */
export const NO_SPANS: Spans = [];

interface Placed {
  readonly height: Height;
  readonly spans: Spans;
}

/** Spans of a version at `height` that follows another. */
export function spansAfter(before: Placed, height: Height): Spans {
  const gap = Number(height - before.height);
  const place = placeOf(height);
  const placeBefore = placeOf(before.height);
  const spans: number[] = [];
  for (let index = 0; index < LEVELS && gap <= (place & maskOf(index)); index += 1)
    spans.push(before.spans[index] ?? placeBefore & maskOf(index));
  return spans;
}

/**
 * The lowest height above `height` at which the version names a version of its key: the first of a span, or its own. In
 * the undo page of that height lies the version before, a step towards the one at `height`. Where a key changed n times
 * meanwhile, about three steps lead through each power of 4 in n.
 */
export function towards({ height: from, spans }: Placed, height: Height): Height {
  const distance = Number(from - height);
  const place = placeOf(from);
  for (const [index, first] of spans.entries()) {
    const back = (place & maskOf(index)) - first;
    if (back < distance) return toHeight(from - BigInt(back));
  }
  return from;
}

/** Blocks from the beginning of the largest span. */
function placeOf(height: Height): number {
  return Number(BigInt.asUintN(2 * LEVELS, height));
}

/** The part of `placeOf` that is a place in the span with this index. */
function maskOf(index: number): number {
  return (1 << (2 * (LEVELS - index))) - 1;
}
