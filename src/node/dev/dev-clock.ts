import type { BlockClock, CarriedCommit } from '../../core/chain/block-clock.js';
import { medianTime } from '../../core/comet/block-time.js';
import type { Clock } from '../../core/ports/time.js';
import { NS_PER_MS, toHeight, toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import type { Commit } from '../../core/proto/tendermint/types/types_pb.js';
import { signedAgain, type SignAgainOptions } from './sign-again.js';
import { max } from '../../core/bigint.js';

export interface DevClockOptions extends SignAgainOptions {
  /** The clock of the host, or virtual time. */
  readonly host: Clock;
  /** Initial shift in nanoseconds, from the log. */
  readonly shift: bigint;
  /**
   * Last decided height when the clock was moved: its commit has the old time. Undefined when the commit of the head
   * was signed after the move.
   */
  readonly signedBefore: Height | undefined;
  /** Logs a shift caused by an interval, before the block that uses it. */
  readonly onRaised: (shift: bigint) => void;
}

/**
 * The clock of the blocks in dev mode: the clock of the host plus a shift. A block's time is the median of the votes
 * in the commit that it contains (CometBFT spec, consensus/bft-time), and those were signed when the previous block
 * was decided. For the next block to have the new time, a commit from before the move is signed again.
 */
export class DevClock implements BlockClock {
  readonly #options: DevClockOptions;
  #shift: bigint;
  #signedBefore: Height | undefined;
  #exact: TimeNs | undefined;
  /** True while a dev command makes the next block. */
  #isCommanded = false;
  /** Nanoseconds between blocks, if set. */
  #interval: bigint | undefined;
  /** Shift from the next block on, if an interval moves the clock for that block. */
  #raised: bigint | undefined;

  constructor(options: DevClockOptions) {
    this.#options = options;
    this.#shift = options.shift;
    this.#signedBefore = options.signedBefore;
  }

  now(): TimeNs {
    return toTimeNs(this.#options.host.now() + this.#shift);
  }

  /** Nanoseconds by which this clock is ahead of the host's. */
  get shift(): bigint {
    return this.#shift;
  }

  /** The exact time of the next block; undefined unless one was set. */
  get exact(): TimeNs | undefined {
    return this.#exact;
  }

  /** Time between the blocks, nanoseconds; undefined where they follow the clock. */
  get interval(): bigint | undefined {
    return this.#interval;
  }

  /**
   * Gives every block the time of the previous one plus `interval`, except a block with an exact time. The clock
   * keeps running; if block time overtakes it, the clock is moved along.
   */
  setInterval(interval: bigint | undefined): void {
    this.#interval = interval;
  }

  /** The shift at which the clock now reads `time`. */
  shiftFor(time: TimeNs): bigint {
    return time - this.#options.host.now();
  }

  /**
   * The shift for a block at `time` after a head at `before`. It grows by as much as the block moves the chain: if it
   * also held how far the host's clock is behind, the chain would stay ahead when that is corrected. A time that waits
   * for its block has moved the clock already.
   */
  shiftTo(time: TimeNs, before: TimeNs): bigint {
    return this.#shift + time - max(this.#exact ?? before, this.now());
  }

  /**
   * Moves the clock while no block is in flight. `head` is the last decided height; `exact` is the time of the next
   * block.
   */
  move(shift: bigint, head: Height, exact?: TimeNs): void {
    this.#shift = shift;
    this.#raised = undefined;
    this.#signedBefore = head;
    this.#exact = exact;
  }

  /**
   * The commit of the previous block for the next block, and the time that it gives the next block: later than
   * `before`, the time of the previous block.
   */
  lastCommit(commit: Commit, validators: ValidatorSet, before: TimeNs): CarriedCommit {
    const time = this.#timeAfter(toHeight(commit.height), before);
    const carried = time === undefined ? commit : signedAgain(commit, validators, time, this.#options);
    return { commit: carried, time: medianTime(carried, validators) };
  }

  /**
   * Time of the block after the one at `head` with the time `before`, where commands have set it; undefined where the
   * commit of the head sets it.
   */
  nextTime(head: Height, before: TimeNs): TimeNs | undefined {
    if (this.#exact !== undefined) return max(this.#exact, toTimeNs(before + 1n));
    if (this.#interval !== undefined) return toTimeNs(before + this.#interval);
    return this.#signedBefore === head ? max(this.now(), toTimeNs(before + NS_PER_MS)) : undefined;
  }

  /** Called when the next block was built: clears the exact time, unless a dev command made the block. */
  used(): void {
    if (this.#raised !== undefined) {
      this.#shift = this.#raised;
      this.#options.onRaised(this.#shift);
    }
    this.#raised = undefined;
    if (!this.#isCommanded) this.#exact = undefined;
  }

  /**
   * Runs `make`, which makes a block with dev transactions. That block does not use the exact time, and no interval
   * passes: if one of them is set, its time is as close to the head's as possible.
   */
  async whileCommanded<Value>(make: () => Promise<Value>): Promise<Value> {
    this.#isCommanded = true;
    try {
      return await make();
    } finally {
      this.#isCommanded = false;
    }
  }

  /** Time of the block after the one at `head` with the time `before`; undefined for the time in its commit. */
  #timeAfter(head: Height, before: TimeNs): TimeNs | undefined {
    const closest = toTimeNs(before + 1n);
    if (this.#isCommanded && (this.#exact !== undefined || this.#interval !== undefined)) return closest;
    if (this.#exact === undefined && this.#interval !== undefined) {
      const next = max(toTimeNs(before + this.#interval), closest);
      const shift = this.shiftTo(next, before);
      this.#raised = shift > this.#shift ? shift : undefined;
      return next;
    }
    if (this.#exact !== undefined) return max(this.#exact, closest);
    return this.#signedBefore === head ? max(this.now(), toTimeNs(before + NS_PER_MS)) : undefined;
  }
}
