import type { Limits } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import type { BlockEvents, PostingKind } from './posting.js';
import type { RowReads } from './value-rows.js';

/** The chain that a search reads. */
export interface SearchContext extends RowReads {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  /** Published head; later heights are not visible yet. */
  readonly head: Height;
  /** Lowest height that is searched; the in-memory search starts there while nothing is indexed. */
  readonly first: Height;
  /**
   * Events of a published height that is not indexed yet (transaction events only for kind `tx`); undefined when it was
   * not executed.
   */
  readonly eventsAt: (height: Height, kind: PostingKind) => BlockEvents | undefined;
  readonly limits: Pick<Limits, 'searchRows' | 'rangeRows'>;
}
