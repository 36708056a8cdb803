import type { Clock } from '../ports/time.js';
import type { Height, TimeNs } from '../primitives.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';

/** The commit that a block carries, and the time that it gives the block. */
export interface CarriedCommit {
  readonly commit: Commit;
  readonly time: TimeNs;
}

/** A clock whose commands set the times of blocks: `src/node/dev/dev-clock.ts`. */
export interface BlockClock extends Clock {
  /** Time of the block after `head`, whose time is `before`; undefined where the commit of the head sets it. */
  nextTime(head: Height, before: TimeNs): TimeNs | undefined;
  /** The commit of the previous block for the next one, whose time is later than `before`. */
  lastCommit(commit: Commit, validators: ValidatorSet, before: TimeNs): CarriedCommit;
  /** The next block was built: a time that was set for it alone is spent. */
  used(): void;
}
