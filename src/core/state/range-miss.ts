import type { StateRange } from './state.js';

/**
 * Thrown by `range` of a synchronous reader whose entries are not in memory: the caller of the pure code fetches
 * `range` of `store` and runs the code again (`docs/decisions/0006-range-miss.md`). Not a failure; code in between must
 * let it pass.
 */
export class RangeMiss extends Error {
  override readonly name = 'RangeMiss';

  constructor(
    readonly store: string,
    /** The missing part: the rest of the range after the entries in memory. */
    readonly range: StateRange,
  ) {
    super(`range of store ${store} is not in memory`);
  }
}
