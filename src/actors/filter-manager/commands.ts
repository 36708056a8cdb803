import type { FilterChanges, FilterCriteria } from '../../core/ethereum/api.js';
import type { FilterHead } from '../../core/filters/index.js';
import type { TimeNs } from '../../core/primitives.js';
import type { Reply } from '../shell/inbox.js';

/** Changes for a poll, and the cursor after it (undefined: nothing new, the cursor stays). */
export interface PollResult {
  readonly changes: FilterChanges;
  readonly through: FilterHead | undefined;
}

interface CommandOnFilter {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Time of the client's request: expiry is judged by it, however long the command waited. */
  readonly at: TimeNs;
}

/** Creates a filter; replies with its id. */
export interface Create extends CommandOnFilter {
  readonly type: 'create';
  readonly criteria: FilterCriteria;
  readonly client: string | undefined;
  readonly reply: Reply<string>;
}

/**
 * Reads the changes since the last poll; replies undefined for an unknown or expired filter. Does not move the cursor.
 */
export interface Poll extends CommandOnFilter {
  readonly type: 'poll';
  readonly reply: Reply<PollResult | undefined>;
}

/** Completes a poll: moves the cursor and replies when it is stored; false when the filter was removed meanwhile. */
export interface Polled extends CommandOnFilter {
  readonly type: 'polled';
  readonly isEnding: true;
  readonly through: FilterHead | undefined;
  readonly reply: Reply<boolean>;
}

/** Extends the deadline of a filter that a client has used. */
export interface Touch extends CommandOnFilter {
  readonly type: 'touch';
}

/** Removes a filter; replies false for an unknown or expired one. */
export interface Uninstall extends CommandOnFilter {
  readonly type: 'uninstall';
  readonly reply: Reply<boolean>;
}

/** The commands of the filter manager. */
export type FilterManagerCommand = Create | Poll | Polled | Touch | Uninstall;
