import type { CursorRefusal } from '../../core/subscriptions/index.js';

/** Reasons for which a cursor is refused, in the words of every face. */
export const CURSOR_WORDS: Readonly<Record<CursorRefusal['code'], string>> = {
  'cursor-ahead': 'cursor is ahead of the log',
  'cursor-abandoned': 'cursor is on an abandoned branch: the chain went back below it',
  'cursor-pruned': 'cursor is too old: what follows it is no longer kept',
};

/** The refusal of a cursor that is neither a position nor `true`. */
export const NO_CURSOR = 'cursor is not one that a notification carried';
