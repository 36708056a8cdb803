import { toHeight, type Height } from '../../core/primitives.js';

/**
 * Skip pointers of a version. Level n divides the heights into spans of 4^n blocks. For each span that contains both
 * this version and the previous one, the entry is the offset of the key's first version in the span. Largest level
 * (`LEVELS`) first. A key that every block changes has zeros.
 */
export type Spans = readonly number[];

/** Number of levels; beyond 4^12 blocks a reader walks the largest spans one by one. */
export const LEVELS = 12;

/** Spans of the first version of a key. */
export const NO_SPANS: Spans = [];

interface Placed {
  readonly height: Height;
  readonly spans: Spans;
}

/** Spans of a version at `height` that follows the version `before`. */
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
 * The next height to visit when searching backwards for the version at `height`: the lowest height above `height` that
 * this version's spans name, or its own. The undo page of that height holds the version before it. For a key changed n
 * times since, about three steps per power of 4 in n are needed.
 */
export function nextHeightTowards({ height: from, spans }: Placed, height: Height): Height {
  const distance = Number(from - height);
  const place = placeOf(from);
  for (const [index, first] of spans.entries()) {
    const back = (place & maskOf(index)) - first;
    if (back < distance) return toHeight(from - BigInt(back));
  }
  return from;
}

/** Offset of a height in its largest span. */
function placeOf(height: Height): number {
  return Number(BigInt.asUintN(2 * LEVELS, height));
}

/** Mask that reduces `placeOf` to the offset in the span with this index. */
function maskOf(index: number): number {
  return (1 << (2 * (LEVELS - index))) - 1;
}
