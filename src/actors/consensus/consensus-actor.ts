/**
 * Block production by the validators of this process: when a block begins, that at most one is in flight, and what
 * follows a decision. Transactions that arrive while a block is in flight wait for the next one.
 */
import type { RoundState } from '../../core/consensus/round-state.js';
import { invariant } from '../../core/errors.js';
import {
  createLocalValidators,
  type Decision,
  type ExpiredTimeout,
  type LocalValidatorsOptions,
  type NextHeight,
} from './local-validators.js';
import { type ConsensusMode, createModes } from './modes.js';

export type { Decision, NextHeight } from './local-validators.js';
export type { ConsensusMode } from './modes.js';

export type AfterDecision = { readonly kind: 'next'; readonly next: NextHeight } | { readonly kind: 'halt' };

/** When the pause between blocks ends; milliseconds, counted from the last decision. */
export type Mining =
  | { readonly kind: 'instant'; readonly heartbeatMs: number | undefined }
  | { readonly kind: 'interval'; readonly intervalMs: number }
  | { readonly kind: 'manual' };

/**
 * Most that what came during a block waits before the next one, milliseconds: for as long as that block took, so that
 * admission has half of the time and a stream of transactions goes into few blocks (docs/decisions/0010-instant-blocks.md).
 */
const LONGEST_GATHERING_MS = 4;

export interface ConsensusOptions extends LocalValidatorsOptions {
  readonly mining: Mining;
  /** Stores and executes; the next height starts when it resolves. */
  readonly onDecided: (decision: Decision) => Promise<AfterDecision>;
  /** Production stopped for good: building or committing failed. */
  readonly onFailed: (error: unknown) => void;
}

export interface ConsensusActor {
  readonly mode: () => ConsensusMode;
  /** State of the first local validator, for consensus_state. */
  readonly roundState: () => RoundState | undefined;
  start(next: NextHeight): void;
  /** Transactions wait; in instant mode a block begins on a later turn. */
  txsAvailable(): void;
  readonly mining: () => Mining;
  /** From now on blocks begin by another rule; one in flight is finished. */
  setMining(mining: Mining): void;
  /** Begins a block now, in any mining mode; false when one is in flight or production has stopped. */
  mine(): boolean;
  /** Runs `run` while no block is in flight: at once, or right after the one that is; before the next one begins. */
  between<Value>(run: () => Value): Promise<Value>;
  /** No further block; one in flight is finished. */
  halt(): void;
  /** Resolves when no block is in flight; nothing begins afterwards. A round that waits for a timer is given up. */
  stop(): Promise<void>;
}

export function createConsensusActor(options: ConsensusOptions): ConsensusActor {
  const { clock, timers } = options;
  let { mining } = options;
  const modes = createModes();
  const validators = createLocalValidators(options, onTimeout);
  let pending = false;
  let stopping = false;
  let lastDecided = clock.now();
  let lastBegun = lastDecided;
  let cancelPause = (): void => undefined;
  let work: Promise<void> = Promise.resolve();
  const waiting: (() => void)[] = [];

  function begin(next: NextHeight): void {
    validators.begin(next);
    schedule();
  }

  /** Schedules the next block; in manual mode blocks are made only on request. */
  function schedule(): void {
    if (modes.mode() !== 'waiting') return;
    if (mining.kind === 'instant' && pending)
      return pause(Math.min(LONGEST_GATHERING_MS, Number((clock.now() - lastBegun) / 1_000_000n)));
    const milliseconds =
      mining.kind === 'interval' ? mining.intervalMs : mining.kind === 'instant' ? mining.heartbeatMs : undefined;
    if (milliseconds === undefined) return;
    const elapsed = Number((clock.now() - lastDecided) / 1_000_000n);
    pause(Math.min(milliseconds, Math.max(0, milliseconds - elapsed)));
  }

  function pause(milliseconds: number): void {
    cancelPause();
    cancelPause = timers.after(milliseconds, () => void mine());
  }

  function mine(): boolean {
    if (modes.mode() !== 'waiting' || validators.count() === 0) return false;
    cancelPause();
    pending = false;
    lastBegun = clock.now();
    modes.send({ type: 'mine' });
    enqueue(() => validators.startRound());
    return true;
  }

  function onTimeout(expired: ExpiredTimeout): void {
    enqueue(() => validators.timedOut(expired));
  }

  /** One piece of work at a time, in order; what comes after the block or the stop does nothing. */
  function enqueue(deliver: () => Promise<Decision | undefined>): void {
    work = work.then(async () => {
      if (stopping || !isDeciding(modes.mode())) return;
      try {
        const decision = await deliver();
        if (decision !== undefined) await conclude(decision);
      } catch (error) {
        validators.cancelTimers();
        modes.send({ type: 'failed' });
        options.onFailed(error);
      }
      runWaiting();
    });
  }

  /** In order of the calls, until one of them begins a block. */
  function runWaiting(): void {
    while (!isInFlight(modes.mode())) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  async function conclude(decision: Decision): Promise<void> {
    lastDecided = clock.now();
    modes.send({ type: 'decided' });
    const after = await options.onDecided(decision);
    if (after.kind === 'halt') return modes.send({ type: 'halted' });
    modes.send({ type: 'stored' });
    begin(after.next);
  }

  return {
    mode: modes.mode,
    roundState: validators.roundState,
    start(next) {
      invariant(modes.mode() === 'stopped' || modes.mode() === 'halted', 'consensus starts once');
      stopping = false;
      pending = false;
      lastDecided = clock.now();
      modes.send({ type: 'start' });
      begin(next);
    },
    txsAvailable() {
      if (pending) return;
      pending = true;
      if (modes.mode() === 'waiting' && mining.kind === 'instant') pause(0);
    },
    mining: () => mining,
    setMining(next) {
      mining = next;
      cancelPause();
      schedule();
    },
    mine,
    between: (run) =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(run());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
        runWaiting();
      }),
    halt() {
      cancelPause();
      modes.send({ type: 'halt' });
      runWaiting();
    },
    async stop() {
      stopping = true;
      cancelPause();
      modes.send({ type: 'stop' });
      await work;
      validators.cancelTimers();
      modes.send({ type: 'abandoned' });
      runWaiting();
    },
  };
}

function isInFlight(mode: ConsensusMode): boolean {
  return mode === 'deciding' || mode === 'committing' || mode === 'draining';
}

/** In draining a block may still need its rounds; after its decision no timer is left that could ask. */
function isDeciding(mode: ConsensusMode): boolean {
  return mode === 'deciding' || mode === 'draining';
}
