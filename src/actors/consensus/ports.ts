import type { ProposedBlock } from '../../core/consensus/block-key.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Clock, Randomness } from '../../core/ports/time.js';
import type { Executed, Halted, Hearing, Observable, Signal, ChainReverted } from '../../streams/index.js';
import type { Mining } from '../../core/chain/mining.js';
import type { Decision, LocalValidatorsOptions, NextHeight } from '../../core/consensus/local-validators.js';

/** Transactions wait in the pool. */
export interface Available {
  readonly type: 'available';
}

/** The transactions of the next block are to be executed before it is built. */
export interface Preparation {
  readonly type: 'prepare';
}

/** They were executed, or cannot be: the block may begin. */
export interface PreparationEnded {
  readonly type: 'prepared';
}

export interface ConsensusPorts extends LocalValidatorsOptions {
  /** The clock by which pauses between blocks are measured: that of the timers, which no command moves. */
  readonly timerClock: Clock;
  /** Draws pauses between blocks, where the rule has a shortest and a longest one. */
  readonly randomness: Randomness;
  /** The rule at the start; `setMining` sets another one. */
  readonly mining: Mining;
  /** The state on which the height after the head starts; a view of the chain's head. */
  readonly nextHeight: () => NextHeight;
  /** Transactions wait; a view of the pool. */
  readonly hasIncludable: () => boolean;
  /** Something was set for the next block that is made for a transaction or on request: no heartbeat takes it. */
  readonly isNextBlockAwaited: () => boolean;
  /** More waits than the gas limits of transactions allow into one block; a view of the pool. */
  readonly isOverfull: () => boolean;
  readonly preparations: Pick<Signal<Preparation>, 'say'>;
  /** The answer to each preparation. */
  readonly prepared: Observable<PreparationEnded>;
  /** The chain stands still at a decided block; a view of the upgrade keeper. */
  readonly isHalted: () => boolean;
  readonly hearing: Pick<Hearing<Executed | Halted | ChainReverted>, 'live'>;
  readonly available: Observable<Available>;
  /** Blocks that an only validator proposes: each is decided unless the process ends, and may be executed meanwhile. */
  readonly proposals: Pick<Signal<ProposedBlock>, 'say'>;
  /** Decided blocks, each said once; 'executed' or 'halted' of its height answers it. */
  readonly decisions: Pick<Signal<Decision>, 'say'>;
  readonly limits: Pick<Limits, 'actorInbox'>;
}
