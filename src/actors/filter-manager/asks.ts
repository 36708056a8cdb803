import type { FilterChanges, FilterCriteria } from '../../core/ethereum/api.js';
import type { FilterHead } from '../../core/filters/index.js';
import type { TimeNs } from '../../core/primitives.js';
import type { Reply } from '../shell/inbox.js';

/** The answer of a poll and the cursor after it; undefined when there is nothing new and the cursor stays. */
export interface Due {
  readonly changes: FilterChanges;
  readonly through: FilterHead | undefined;
}

interface AskOfFilter {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Time of the client's request; a filter that was alive then counts as alive, however long the command waited. */
  readonly at: TimeNs;
}

/** Returns the id. */
export interface Create extends AskOfFilter {
  readonly type: 'create';
  readonly criteria: FilterCriteria;
  readonly client: string | undefined;
  readonly reply: Reply<string>;
}

/** Answers undefined for an unknown or expired filter. Moves no cursor. */
export interface Poll extends AskOfFilter {
  readonly type: 'poll';
  readonly reply: Reply<Due | undefined>;
}

/**
 * An answer was made of the result of `poll`. Answers when the cursor is stored; false when the filter was removed
 * meanwhile.
 */
export interface Polled extends AskOfFilter {
  readonly type: 'polled';
  readonly isEnding: true;
  readonly through: FilterHead | undefined;
  readonly reply: Reply<boolean>;
}

/** A client showed that it still uses the filter. */
export interface Touch extends AskOfFilter {
  readonly type: 'touch';
}

/** Answers false for an unknown or expired filter. */
export interface Uninstall extends AskOfFilter {
  readonly type: 'uninstall';
  readonly reply: Reply<boolean>;
}

/** The commands of the filter manager. */
export type FilterAsk = Create | Poll | Polled | Touch | Uninstall;
