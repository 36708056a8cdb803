import type { ProposedBlock } from '../../core/consensus/block-key.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Clock, Randomness } from '../../core/ports/time.js';
import type { Executed, Halted, ConsumerStream, Observable, Signal, ChainReverted } from '../../streams/index.js';
import type { Mining } from '../../core/chain/mining.js';
import type { Decision, LocalValidatorsOptions, NextHeight } from '../../core/consensus/local-validators.js';

/** Signal: transactions are pending. */
export interface Available {
  readonly type: 'available';
}

/** Signal: execute the transactions of the next block before it is built. */
export interface Preparation {
  readonly type: 'prepare';
}

/** Signal: they were executed, or cannot be; the block may start. */
export interface PreparationEnded {
  readonly type: 'prepared';
}

export interface ConsensusPorts extends LocalValidatorsOptions {
  /** Clock for pauses between blocks; follows the timers, so no dev command moves it. */
  readonly timerClock: Clock;
  /** Source for random pauses between blocks, when the mining mode has a shortest and a longest one. */
  readonly randomness: Randomness;
  /** Initial mining mode; changed by `setMining`. */
  readonly mining: Mining;
  /** Start state of the next height, from the chain's head. */
  readonly nextHeight: () => NextHeight;
  /** True when the pool has transactions for the next block. */
  readonly hasIncludable: () => boolean;
  /**
   * True when a command has set a property (such as the time) of the next transaction-triggered or requested block, so
   * no heartbeat block may use it up.
   */
  readonly isNextBlockAwaited: () => boolean;
  /** True when the pending gas limits exceed one block. */
  readonly isOverfull: () => boolean;
  readonly preparations: Pick<Signal<Preparation>, 'say'>;
  /** Replies to `preparations`. */
  readonly prepared: Observable<PreparationEnded>;
  /** True when the chain is halted at a decided block (upgrade keeper). */
  readonly isHalted: () => boolean;
  readonly stream: Pick<ConsumerStream<Executed | Halted | ChainReverted>, 'live'>;
  readonly available: Observable<Available>;
  /**
   * Proposals of a single validator, which may be executed speculatively because each is decided unless the process
   * ends.
   */
  readonly proposals: Pick<Signal<ProposedBlock>, 'say'>;
  /** Decided blocks, emitted once each; answered by `executed` or `halted` of the height. */
  readonly decisions: Pick<Signal<Decision>, 'say'>;
  readonly limits: Pick<Limits, 'actorInbox'>;
}
