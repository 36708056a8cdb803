/**
 * Text of a resume cursor: `P` when everything up to commit P was seen, `P.I` when events up to index I of commit P
 * were seen. Several events share a commit, so that the position alone would lose those behind the last one seen.
 */
import type { ConsensusEvent } from '../websocket-events.js';
import type { CommitEvents } from '../node-api.js';
import { toPosition, type Position } from '../primitives.js';

export interface Cursor {
  /** Commits up to here were seen wholly. */
  readonly after: Position;
  /** Index of the last event seen of the commit behind `after` whose position is `within`. */
  readonly partial: { readonly within: Position; readonly index: number } | undefined;
}

const CURSOR = /^([0-9]{1,19})(?:\.([0-9]{1,9}))?$/u;

export function cursorText(position: Position, index: number | undefined): string {
  return index === undefined ? position.toString() : `${position}.${index}`;
}

/** Undefined when `text` is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const match = CURSOR.exec(text);
  if (match === null) return undefined;
  const within = toPosition(BigInt(match[1] ?? '0'));
  if (match[2] === undefined) return { after: within, partial: undefined };
  if (within === 0n) return undefined;
  return { after: toPosition(within - 1n), partial: { within, index: Number(match[2]) } };
}

/** The events of a commit that a client with this cursor has not seen, each with its index in the commit. */
export function unseen(
  commit: CommitEvents,
  cursor: Cursor,
): readonly { readonly event: ConsensusEvent; readonly index: number }[] {
  if (commit.position <= cursor.after) return [];
  const seen = cursor.partial?.within === commit.position ? cursor.partial.index : -1;
  return commit.events.map((event, index) => ({ event, index })).filter(({ index }) => index > seen);
}
