import type { Lease } from '../../actors/consensus/index.js';
import { DONE, NODE_STOPPING, refused } from '../../core/errors.js';
import type { BlockSteps } from '../../core/ethereum/api.js';
import type { Outcome } from '../../core/node-api.js';
import { NS_PER_SECOND, type Height, toTimeNs } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { BlockRuns } from '../../runtime/chain/block-runs.js';
import type { DevClock } from './dev-clock.js';
import { logShift } from './open-dev-clock.js';
import { betweenBlocks, NO_BLOCKS, type BlockProducer } from './mine.js';

export interface TimeCommandsOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly clock: DevClock;
  readonly consensus: BlockProducer;
  /** Undefined if an external engine makes the blocks. */
  readonly runs: Pick<BlockRuns, 'make'> | undefined;
  /** True once the node is stopping: no further block is begun. */
  readonly isStopping: () => boolean;
}

/**
 * The last second of the year 9998. Protobuf timestamps end with the year 9999, and the clock keeps running after it
 * is set.
 */
const LAST_SECOND = 253_370_764_799n;

/** Commands that move the block clock. Each writes a TimeShifted event to the log before the block that uses it. */
export class TimeCommands {
  readonly #options: TimeCommandsOptions;

  constructor(options: TimeCommandsOptions) {
    this.#options = options;
  }

  /**
   * Moves the clock; resolves with the total shift in whole seconds. A time that was set for the next block stays, as
   * in anvil and hardhat 3.
   */
  increase(seconds: bigint): Promise<Outcome<bigint>> {
    return this.#increase(seconds, true);
  }

  async #increase(seconds: bigint, keepsExact: boolean): Promise<Outcome<bigint>> {
    const { clock, consensus, ledger } = this.#options;
    const moved = await betweenBlocks(consensus, async (): Promise<Outcome<undefined>> => {
      const shift = clock.shift + seconds * NS_PER_SECOND;
      if (clock.now() / NS_PER_SECOND + seconds > LAST_SECOND) return tooLate(clock.now() / NS_PER_SECOND + seconds);
      clock.move(shift, ledger.state.height, keepsExact ? clock.exact : undefined);
      await logShift(this.#options.log, shift);
      return DONE;
    });
    return moved.ok ? { ok: true, value: clock.shift / NS_PER_SECOND } : moved;
  }

  /** Resets the clock to the host's time, as in a new chain. The caller holds the lease. */
  async toHost(): Promise<void> {
    const { clock, ledger, log } = this.#options;
    if (clock.shift === 0n) return;
    clock.move(0n, ledger.state.height);
    await logShift(log, 0n);
  }

  /**
   * Sets the clock to a time (seconds); resolves with the seconds that it moved forward, or 0 if it moved back.
   * Clears a time that was set for the next block.
   */
  async setTime(timestamp: bigint): Promise<Outcome<bigint>> {
    const by = timestamp - this.#options.clock.now() / NS_PER_SECOND;
    const moved = await this.#increase(by, false);
    return moved.ok ? { ok: true, value: by > 0n ? by : 0n } : moved;
  }

  /** Gives the next block exactly this time (seconds), from which the clock continues. */
  async setNext(timestamp: bigint): Promise<Outcome<undefined>> {
    const { consensus, clock } = this.#options;
    return betweenBlocks(consensus, async () => {
      const done = this.#moveTo(timestamp);
      if (done.ok) await logShift(this.#options.log, clock.shift);
      return done;
    });
  }

  /** Sets the seconds between blocks, or clears them; resolves with true if an interval was set before. */
  setInterval(seconds: bigint | undefined): Promise<Outcome<boolean>> {
    const { consensus, clock } = this.#options;
    return betweenBlocks(consensus, () => {
      const had = clock.interval !== undefined;
      clock.setInterval(seconds === undefined ? undefined : seconds * NS_PER_SECOND);
      return { ok: true, value: had };
    });
  }

  /**
   * Makes `blocks` blocks without other blocks between them. The first has the time `timestamp` (seconds), from which
   * the clock continues; each further one is a step later. Without `timestamp` and `steps`, each block has the
   * current time. Resolves with the height of the last one.
   */
  async mine(blocks: number, timestamp: bigint | undefined, steps?: BlockSteps): Promise<Outcome<Height>> {
    const { consensus, ledger, runs, isStopping } = this.#options;
    return betweenBlocks(consensus, async (lease): Promise<Outcome<Height>> => {
      for (let made = 0; made < blocks;) {
        const before = blocks - 1 - made;
        // The first block is made separately: its commit is signed again to show the current time.
        const ran = made > 0 && before > 0 && steps === undefined ? await runs?.make(before, isStopping) : undefined;
        if (ran?.ok === false) return ran;
        made += ran?.value ?? 0;
        if (ran !== undefined && ran.value > 0) continue;
        const mined = await this.#mineOne(
          lease,
          made,
          made === 0 ? (timestamp ?? this.#firstStep(steps)) : this.#nextStep(steps),
        );
        if (!mined.ok) return mined;
        made += 1;
      }
      return { ok: true, value: ledger.state.height };
    });
  }

  /** Time in seconds of the first block if the steps begin before it; undefined if it has the clock's time. */
  #firstStep(steps: BlockSteps | undefined): bigint | undefined {
    const { clock, ledger } = this.#options;
    // An exact time for the next block takes precedence, and block 1 has the time of the genesis.
    if (steps?.beforeFirst !== true || clock.exact !== undefined || ledger.state.lastCommit === undefined) return;
    const [now, head] = [clock.now(), ledger.state.time];
    return (now > head ? now : head) / NS_PER_SECOND + steps.seconds;
  }

  #nextStep(steps: BlockSteps | undefined): bigint | undefined {
    return steps && this.#options.ledger.state.time / NS_PER_SECOND + steps.seconds;
  }

  /** Makes block number `made` of a command, at `time` in seconds or by the clock. */
  async #mineOne(lease: Lease, made: number, time: bigint | undefined): Promise<Outcome<undefined>> {
    const { consensus, isStopping } = this.#options;
    if (isStopping()) return { ok: false, error: NODE_STOPPING };
    if (consensus.view.mode() === 'halted') return NO_BLOCKS;
    if (time !== undefined) {
      const moved = this.#mineAt(time);
      if (!moved.ok) return moved;
    } else if (made === 0) this.#toNow();
    // The commit of the previous block was signed just now by this command, so its time is current.
    return lease.mine();
  }

  /** Gives the next block the current time instead of the time at which the previous block was signed. */
  #toNow(): void {
    const { clock, ledger } = this.#options;
    if (clock.exact === undefined) clock.move(clock.shift, ledger.state.height);
  }

  #mineAt(timestamp: bigint): Outcome<undefined> {
    const moved = this.#moveTo(timestamp);
    // Not awaited: the block follows it in the log, and a failed write fails the block.
    if (moved.ok) logShift(this.#options.log, this.#options.clock.shift).catch(() => undefined);
    return moved;
  }

  #moveTo(timestamp: bigint): Outcome<undefined> {
    const { clock, ledger } = this.#options;
    const { height, time: head, lastCommit } = ledger.state;
    // Block times must increase: a time in the head's second becomes one nanosecond after the head.
    const time = toTimeNs(timestamp === head / NS_PER_SECOND ? head + 1n : timestamp * NS_PER_SECOND);
    if (timestamp > LAST_SECOND) return tooLate(timestamp);
    if (time <= head || time / NS_PER_SECOND !== timestamp)
      return refused(`timestamp ${timestamp} is before that of block ${height} (${head / NS_PER_SECOND})`);
    if (lastCommit === undefined) return refused('the first block has the time of the genesis');
    clock.move(clock.shiftTo(time, head), height, time);
    return DONE;
  }
}

function tooLate(second: bigint): ReturnType<typeof refused> {
  return refused(`timestamp ${second} is after the year 9998`);
}
