/**
 * Position from which a client resumes. `P`: the client has seen everything up to position P. `P.I`: of the input at
 * P it has seen items up to index I. Many events and logs share one position, so P alone could lose items.
 */
import { toPosition, type Position } from '../primitives.js';

export interface Cursor {
  /** All inputs up to here were seen completely. */
  readonly after: Position;
  /** Index of the last item seen of the input at `within`, the next one after `after`. */
  readonly partial: { readonly within: Position; readonly index: number } | undefined;
}

const DECIMAL = /^([0-9]{1,19})(?:\.([0-9]{1,9}))?$/u;
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,14})$/iu;

/** Formats a cursor as `P`, or with an index as `P.I`. */
export function cursorText(position: Position, index: number | undefined): string {
  return index === undefined ? position.toString() : `${position}.${index}`;
}

/** Parses `P` or `P.I` in decimal digits, or `P` as a hex quantity. Undefined for other text. */
export function parseCursor(text: string): Cursor | undefined {
  if (QUANTITY.test(text)) return cursorAfter(toPosition(BigInt(text)));
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const within = toPosition(BigInt(match[1] ?? '0'));
  if (match[2] === undefined) return cursorAfter(within);
  return within === 0n ? undefined : cursorWithin(within, Number(match[2]));
}

/** Cursor of a client that has seen everything up to `after`. */
export function cursorAfter(after: Position): Cursor {
  return { after, partial: undefined };
}

/** Cursor of a client that has seen items up to `index` of the input at `within`; -1 means no item. */
export function cursorWithin(within: Position, index: number): Cursor {
  return { after: toPosition(within - 1n), partial: { within, index } };
}

/** Highest position in a cursor. */
export function positionOf({ after, partial }: Cursor): Position {
  return partial?.within ?? after;
}

/** True for an item that a client with this cursor has seen. */
export function hasSeen({ after, partial }: Cursor, position: Position, index: number): boolean {
  return position <= after || (partial?.within === position && index <= partial.index);
}
