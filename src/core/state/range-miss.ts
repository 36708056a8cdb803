import type { StateRange } from './state.js';

/**
 * Thrown by `range` of a synchronous reader whose entries are not in memory yet: a signal to whoever runs the pure code
 * to fetch `range` of `store` and to run it again (design section 4: iterators of the database are asynchronous).
 * Not a failure; code between must let it pass.
 */
export class RangeMiss extends Error {
  override readonly name = 'RangeMiss';

  constructor(
    readonly store: string,
    /** What is missing: the part of the asked range that follows the entries already in memory. */
    readonly range: StateRange,
  ) {
    super(`range of store ${store} is not in memory`);
  }
}
