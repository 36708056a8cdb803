import type { Mining } from '../../core/chain/mining.js';
import type { RoundState } from '../../core/consensus/round-state.js';
import { CHAIN_HALTED, NO_VALIDATOR } from '../../core/errors.js';
import type { Height, TimeNs } from '../../core/primitives.js';
import { CommandQueue } from './command-queue.js';
import { HeightMemory, type HeightInput } from '../../core/consensus/height-memory.js';
import type { Randomness } from '../../core/ports/time.js';
import type { ConsensusPorts } from './ports.js';
import { LocalValidators, type Decision, type TimerChange } from '../../core/consensus/local-validators.js';
import { areAwaited, gatheringMs, pauseMs } from './mining.js';

/**
 * The state of block production. Between `newHeight` and `commit` a round of the first validator of this process lasts.
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

/** The state that outlives an incarnation of the actor. */
export class ConsensusMemory {
  readonly height = new HeightMemory();
  readonly commands: CommandQueue;
  mining: Mining;
  /** When the last block began; the start of the process before the first one. */
  lastBegun: TimeNs;
  /**
   * The moment from which the pause after the last block is counted: its decision, or the start of its preparation.
   * So the time of its execution, which follows a decision or is a preparation, is part of the pause.
   */
  pauseBegun: TimeNs;
  /** The random share of the pause, from 0 to below 1; 0 where its length is fixed. */
  pauseShare = 0;
  /** When the preparation of the next block began; undefined while there is none. */
  preparing: TimeNs | undefined;
  /** When the last block was applied here, and how many transactions it had. */
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

/** Block production of one incarnation of the actor. */
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

  /** The height that is decided next, or that was decided and is not applied yet. */
  get height(): Height | undefined {
    return this.#memory.height.height;
  }

  /** State of the first validator of this process; undefined when none is in the validator set. */
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

  /** A transaction that comes asks for a block. */
  get isInstant(): boolean {
    return this.#memory.mining.kind === 'instant' && this.#validators.count > 0;
  }

  /** A transaction that comes ends the wait for an empty block: its own comes at the end of the interval. */
  get awaitsTransactions(): boolean {
    const { mining } = this.#memory;
    return mining.kind === 'interval' && mining.empty !== undefined && this.#validators.count > 0;
  }

  /** Transactions came that no block has taken. */
  get hasIncludable(): boolean {
    return this.isInstant && this.#ports.hasIncludable();
  }

  /** The next block is executed before it is built. */
  get isOverfull(): boolean {
    return this.#ports.isOverfull();
  }

  prepare(): void {
    this.#memory.preparing = this.#ports.timerClock.now();
    this.#ports.preparations.say({ type: 'prepare' });
  }

  /** True for the first transaction that comes between two blocks: a stream of them is one message. */
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
   * Goes on where the incarnation before was: between heights, in a round, or after a decision that is not applied
   * yet.
   */
  resume(): void {
    this.nextHeight();
    const { inputs } = this.#memory.height;
    for (const input of inputs) this.#conclude(this.#validators.take(input));
  }

  /** Enters the height after the head. If it is a new one, the block that was in flight is applied. */
  nextHeight(): void {
    const next = this.#ports.nextHeight();
    if (this.#memory.height.begin(next.height)) {
      this.#memory.lastApplied = this.#ports.timerClock.now();
      this.commands.applied();
    }
    this.#validators.begin(next);
  }

  /** The chain was reverted: the height after its head begins in another branch. */
  revert(): void {
    this.#memory.height.forget();
    this.#beginPause(this.#ports.timerClock.now());
    this.nextHeight();
  }

  /** Round 0 of the height begins. */
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

  /** No block is in flight: a command that waited for that is answered. */
  quiet(): void {
    this.#awaitsFirstTransaction = true;
    this.#memory.preparing = undefined;
    if (this.#validators.count === 0) this.commands.refuseBlocks(NO_VALIDATOR);
    this.commands.grant();
  }

  /** There will be no block. */
  halt(): void {
    this.commands.refuseBlocks(CHAIN_HALTED);
    this.commands.grant();
  }

  /** The senders of the last block were just answered, and more than one of them may send again. */
  get expectsMore(): boolean {
    const { lastTxs, lastApplied } = this.#memory;
    return lastTxs > 1 && areAwaited(this.#ports.timerClock.now(), lastApplied);
  }

  /** Milliseconds until transactions that came during the last block go into the next one. */
  gatheringMs(): number {
    return gatheringMs(this.#ports.timerClock.now(), this.#memory.lastBegun);
  }

  /** Milliseconds until a block for which there are no transactions; undefined when there will be none. */
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
      mining.kind === 'interval' && mining.longestMs !== undefined ? drawn(this.#ports.randomness) : 0;
  }

  #conclude(decision: Decision | undefined): void {
    const { height } = this.#memory;
    if (decision === undefined || height.decided) return;
    height.decided = true;
    this.#beginPause(this.#memory.preparing ?? this.#ports.timerClock.now());
    this.#ports.decisions.say(decision);
  }
}

/** A number from 0 to below 1. */
function drawn(randomness: Randomness): number {
  return new DataView(randomness.bytes(4).slice().buffer).getUint32(0) / 2 ** 32;
}
