/**
 * The place where a client resumes. `P`: everything of the input at position P was seen. `P.I`: of that input the items
 * up to index I were seen; many events and logs share one position, which alone would lose those after the last one.
 */
import { toPosition, type Position } from '../primitives.js';

export interface Cursor {
  /** Inputs up to here were seen wholly. */
  readonly after: Position;
  /** Index of the last item seen of the input at `within`, which is the one after `after`. */
  readonly partial: { readonly within: Position; readonly index: number } | undefined;
}

const DECIMAL = /^([0-9]{1,19})(?:\.([0-9]{1,9}))?$/u;
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,14})$/iu;

/** Writes a cursor as `P` or, with an index, as `P.I`. */
export function cursorText(position: Position, index: number | undefined): string {
  return index === undefined ? position.toString() : `${position}.${index}`;
}

/** Reads `P` or `P.I` in decimal digits, or `P` as a hex quantity. Undefined when `text` is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  if (QUANTITY.test(text)) return cursorAfter(toPosition(BigInt(text)));
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const within = toPosition(BigInt(match[1] ?? '0'));
  if (match[2] === undefined) return cursorAfter(within);
  return within === 0n ? undefined : cursorWithin(within, Number(match[2]));
}

/** Everything up to `after` was seen. */
export function cursorAfter(after: Position): Cursor {
  return { after, partial: undefined };
}

/** The cursor of a reader that has seen the items up to `index` of the input at `within`; none with -1. */
export function cursorWithin(within: Position, index: number): Cursor {
  return { after: toPosition(within - 1n), partial: { within, index } };
}

/** The highest position that a cursor names. */
export function positionOf({ after, partial }: Cursor): Position {
  return partial?.within ?? after;
}

/** True for an item that a client with this cursor has seen. */
export function hasSeen({ after, partial }: Cursor, position: Position, index: number): boolean {
  return position <= after || (partial?.within === position && index <= partial.index);
}
