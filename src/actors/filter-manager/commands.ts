import type { FilterChanges, FilterCriteria } from '../../core/ethereum/api.js';
import type { FilterHead } from '../../core/filters/index.js';
import type { TimeNs } from '../../core/primitives.js';
import type { Reply } from '../shell/inbox.js';

/** The answer of a poll and the cursor after it; undefined when there is nothing new and the cursor stays. */
export interface Due {
  readonly changes: FilterChanges;
  readonly through: FilterHead | undefined;
}

interface CommandOnFilter {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Time of the client's request; a filter that was alive then counts as alive, however long the command waited. */
  readonly at: TimeNs;
}

/** Creates a filter; answers its id. */
export interface Create extends CommandOnFilter {
  readonly type: 'create';
  readonly criteria: FilterCriteria;
  readonly client: string | undefined;
  readonly reply: Reply<string>;
}

/** Reads what came since the last poll; answers undefined for an unknown or expired filter. Moves no cursor. */
export interface Poll extends CommandOnFilter {
  readonly type: 'poll';
  readonly reply: Reply<Due | undefined>;
}

/**
 * Ends a poll whose answer was made: moves the cursor, and answers when it is stored; false when the filter was removed
 * meanwhile.
 */
export interface Polled extends CommandOnFilter {
  readonly type: 'polled';
  readonly isEnding: true;
  readonly through: FilterHead | undefined;
  readonly reply: Reply<boolean>;
}

/** A client showed that it still uses the filter. */
export interface Touch extends CommandOnFilter {
  readonly type: 'touch';
}

/** Removes a filter; answers false for an unknown or expired one. */
export interface Uninstall extends CommandOnFilter {
  readonly type: 'uninstall';
  readonly reply: Reply<boolean>;
}

/** The commands of the filter manager. */
export type FilterManagerCommand = Create | Poll | Polled | Touch | Uninstall;
