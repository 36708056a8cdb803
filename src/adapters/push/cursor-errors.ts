import type { CursorRefusal } from '../../core/subscriptions/index.js';

/** Error texts for refused cursors, common to all faces. */
export const CURSOR_ERRORS: Readonly<Record<CursorRefusal['code'], string>> = {
  'cursor-ahead': 'cursor is ahead of the log',
  'cursor-abandoned': 'cursor is on an abandoned branch: the chain went back below it',
  'cursor-pruned': 'cursor is too old: what follows it is no longer kept',
};

/** Error text for a cursor that is neither a position nor `true`. */
export const INVALID_CURSOR = 'cursor is not one that a notification carried';
