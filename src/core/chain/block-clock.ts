import type { Clock } from '../ports/time.js';
import type { Height, TimeNs } from '../primitives.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';

/** The commit that a block carries, and the block time that follows from it. */
export interface CarriedCommit {
  readonly commit: Commit;
  readonly time: TimeNs;
}

/** A clock whose commands set block times: `src/node/dev/dev-clock.ts`. */
export interface BlockClock extends Clock {
  /** Time of the block after `head`; `before` is the head's time. Undefined when the head's commit sets the time. */
  nextTime(head: Height, before: TimeNs): TimeNs | undefined;
  /** Commit of the previous block as the next block carries it; it gives a time later than `before`. */
  lastCommit(commit: Commit, validators: ValidatorSet, before: TimeNs): CarriedCommit;
  /** Called when the next block was built: a time set for that block alone is used up. */
  used(): void;
}
