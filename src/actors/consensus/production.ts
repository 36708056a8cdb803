import type { Mining } from '../../core/chain/mining.js';
import type { RoundState } from '../../core/consensus/round-state.js';
import { CHAIN_HALTED, NO_VALIDATOR } from '../../core/errors.js';
import type { Height, TimeNs } from '../../core/primitives.js';
import { CommandQueue } from './command-queue.js';
import { HeightMemory, type HeightInput } from '../../core/consensus/height-memory.js';
import type { Randomness } from '../../core/ports/time.js';
import type { ConsensusPorts } from './ports.js';
import { LocalValidators, type Decision, type TimerChange } from '../../core/consensus/local-validators.js';
import { expectsFollowUps, gatheringMs, pauseMs } from './mining.js';

/**
 * State of block production. The modes between `newHeight` and `commit` are the consensus steps of the first local
 * validator.
 */
export type ConsensusMode =
  | 'newHeight'
  | 'propose'
  | 'prevote'
  | 'prevoteWait'
  | 'precommit'
  | 'precommitWait'
  | 'commit'
  | 'halted';

/** State that survives a restart of the actor. */
export class ConsensusMemory {
  readonly height = new HeightMemory();
  readonly commands: CommandQueue;
  mining: Mining;
  /** Start time of the last block; of the process before the first one. */
  lastBegun: TimeNs;
  /**
   * Time from which the pause after the last block is measured: its decision, or the start of its preparation.
   * Execution time therefore counts as part of the pause.
   */
  pauseBegun: TimeNs;
  /** Random fraction of the pause, 0 <= x < 1; 0 when its length is fixed. */
  pauseShare = 0;
  /** Start time of the next block's preparation; undefined when there is none. */
  preparing: TimeNs | undefined;
  /** When the last block was applied, and its number of transactions. */
  lastApplied: TimeNs;
  lastTxs = 0;

  constructor({ timerClock, mining, limits }: Pick<ConsensusPorts, 'timerClock' | 'mining' | 'limits'>) {
    this.commands = new CommandQueue(limits.actorInbox);
    this.mining = mining;
    this.lastBegun = timerClock.now();
    this.pauseBegun = this.lastBegun;
    this.lastApplied = this.lastBegun;
  }
}

/** Block production of one actor instance. */
export class Production {
  readonly #ports: ConsensusPorts;
  readonly #memory: ConsensusMemory;
  readonly #validators: LocalValidators;
  #awaitsFirstTransaction = false;

  constructor(ports: ConsensusPorts, memory: ConsensusMemory) {
    this.#ports = ports;
    this.#memory = memory;
    this.#validators = new LocalValidators(
      {
        ...ports,
        buildBlock: (request) => {
          const proposal = ports.buildBlock(request);
          memory.lastTxs = proposal.block.data?.txs.length ?? 0;
          if (this.roundState?.context.voters.length === 1) ports.proposals.say(proposal);
          return proposal;
        },
      },
      memory.height,
    );
  }

  get commands(): CommandQueue {
    return this.#memory.commands;
  }

  /** The height being decided, or decided but not applied yet. */
  get height(): Height | undefined {
    return this.#memory.height.height;
  }

  /** Round state of the first local validator; undefined when none is in the validator set. */
  get roundState(): RoundState | undefined {
    return this.#validators.roundState;
  }

  get mode(): ConsensusMode {
    if (this.#ports.isHalted()) return 'halted';
    const state = this.roundState;
    switch (state?.step) {
      case undefined:
      case 'NewHeight':
      case 'NewRound':
        return 'newHeight';
      case 'Propose':
        return 'propose';
      case 'Prevote':
        return 'prevote';
      case 'PrevoteWait':
        return 'prevoteWait';
      case 'Precommit':
      case 'PrecommitWait':
        return state?.triggeredTimeoutPrecommit === true ? 'precommitWait' : 'precommit';
      case 'Commit':
        return 'commit';
    }
  }

  /** True when an arriving transaction triggers a block. */
  get isInstant(): boolean {
    return this.#memory.mining.kind === 'instant' && this.#validators.count > 0;
  }

  /**
   * True when an arriving transaction ends the longer wait for an empty block, so that its block comes at the end of
   * the interval.
   */
  get awaitsTransactions(): boolean {
    const { mining } = this.#memory;
    return mining.kind === 'interval' && mining.empty !== undefined && this.#validators.count > 0;
  }

  /** True in instant mode when includable transactions are pending. */
  get hasIncludable(): boolean {
    return this.isInstant && this.#ports.hasIncludable();
  }

  /** True when the next block should be executed before it is built. */
  get isOverfull(): boolean {
    return this.#ports.isOverfull();
  }

  prepare(): void {
    this.#memory.preparing = this.#ports.timerClock.now();
    this.#ports.preparations.say({ type: 'prepare' });
  }

  /** True for the first transaction between two blocks, so that a stream of transactions causes one event. */
  takesFirstTransaction(): boolean {
    const first = this.#awaitsFirstTransaction;
    this.#awaitsFirstTransaction = false;
    return first;
  }

  setMining(mining: Mining): void {
    this.#memory.mining = mining;
    this.#beginPause(this.#memory.pauseBegun);
  }

  /**
   * Restores the state of the previous actor instance: between heights, in a round, or after a decision not applied
   * yet.
   */
  resume(): void {
    this.nextHeight();
    const { inputs } = this.#memory.height;
    for (const input of inputs) this.#conclude(this.#validators.take(input));
  }

  /** Enters the next height. If it is a new one, the block in flight has been applied. */
  nextHeight(): void {
    const next = this.#ports.nextHeight();
    if (this.#memory.height.begin(next.height)) {
      this.#memory.lastApplied = this.#ports.timerClock.now();
      this.commands.applied();
    }
    this.#validators.begin(next);
  }

  /** Restarts production at the next height after a revert. */
  revert(): void {
    this.#memory.height.forget();
    this.#beginPause(this.#ports.timerClock.now());
    this.nextHeight();
  }

  /** Starts round 0 of the height. */
  startRound(): void {
    this.#awaitsFirstTransaction = false;
    this.#memory.commands.begun();
    this.#memory.lastBegun = this.#ports.timerClock.now();
    this.take({ kind: 'begin' });
  }

  take(input: HeightInput): void {
    this.#memory.height.took(input);
    this.#conclude(this.#validators.take(input));
  }

  timerChanges(): readonly TimerChange[] {
    return this.#validators.timerChanges();
  }

  /** Answers commands that waited until no block is in flight. */
  serveWaiting(): void {
    this.#awaitsFirstTransaction = true;
    this.#memory.preparing = undefined;
    if (this.#validators.count === 0) this.commands.refuseBlocks(NO_VALIDATOR);
    this.commands.grant();
  }

  /** Refuses block requests, because the chain is halted. */
  halt(): void {
    this.commands.refuseBlocks(CHAIN_HALTED);
    this.commands.grant();
  }

  /** True when the senders of the last block were just answered, and several may send again. */
  get expectsMore(): boolean {
    const { lastTxs, lastApplied } = this.#memory;
    return lastTxs > 1 && expectsFollowUps(this.#ports.timerClock.now(), lastApplied);
  }

  /** Remaining gathering time, milliseconds. */
  gatheringMs(): number {
    return gatheringMs(this.#ports.timerClock.now(), this.#memory.lastBegun);
  }

  /** Milliseconds until an empty block; undefined when none will be made. */
  pauseMs(): number | undefined {
    if (this.#validators.count === 0) return undefined;
    const { mining, pauseBegun, pauseShare } = this.#memory;
    if (mining.kind === 'instant' && this.#ports.isNextBlockAwaited()) return undefined;
    return pauseMs(mining, this.#ports.timerClock.now(), pauseBegun, pauseShare, this.#ports.hasIncludable());
  }

  #beginPause(from: TimeNs): void {
    const { mining } = this.#memory;
    this.#memory.pauseBegun = from;
    this.#memory.pauseShare =
      mining.kind === 'interval' && mining.longestMs !== undefined ? randomFraction(this.#ports.randomness) : 0;
  }

  #conclude(decision: Decision | undefined): void {
    const { height } = this.#memory;
    if (decision === undefined || height.decided) return;
    height.decided = true;
    this.#beginPause(this.#memory.preparing ?? this.#ports.timerClock.now());
    this.#ports.decisions.say(decision);
  }
}

/** A random number, 0 <= x < 1. */
function randomFraction(randomness: Randomness): number {
  return new DataView(randomness.bytes(4).slice().buffer).getUint32(0) / 2 ** 32;
}
