/** Round timeouts in milliseconds (CometBFT v0.38 `ConsensusConfig` in `config/config.go`). */
import type { Height } from '../primitives.js';
import { STEP_RANK, type Step } from './round-step.js';

export interface ConsensusTimeouts {
  readonly propose: number;
  readonly proposeDelta: number;
  readonly prevote: number;
  readonly prevoteDelta: number;
  readonly precommit: number;
  readonly precommitDelta: number;
  readonly commit: number;
}

/** CometBFT's defaults. */
export const DEFAULT_TIMEOUTS: ConsensusTimeouts = {
  propose: 3000,
  proposeDelta: 500,
  prevote: 1000,
  prevoteDelta: 500,
  precommit: 1000,
  precommitDelta: 500,
  commit: 1000,
};

/** Timeouts of a sole validator, which never waits for messages; a round fails only when its own block is invalid. */
export const SOLE_VALIDATOR_TIMEOUTS: ConsensusTimeouts = {
  propose: 0,
  proposeDelta: 0,
  prevote: 0,
  prevoteDelta: 0,
  precommit: 1000,
  precommitDelta: 500,
  commit: 0,
};

export type TimeoutStep = Extract<Step, 'NewHeight' | 'Propose' | 'PrevoteWait' | 'PrecommitWait'>;

export interface Timeout {
  readonly height: Height;
  readonly round: number;
  readonly step: TimeoutStep;
}

/** Duration of a timeout in milliseconds; it grows with the round. */
export function timeoutMs(timeouts: ConsensusTimeouts, step: TimeoutStep, round: number): number {
  switch (step) {
    case 'NewHeight':
      return timeouts.commit;
    case 'Propose':
      return timeouts.propose + timeouts.proposeDelta * round;
    case 'PrevoteWait':
      return timeouts.prevote + timeouts.prevoteDelta * round;
    case 'PrecommitWait':
      return timeouts.precommit + timeouts.precommitDelta * round;
  }
}

/**
 * True when a request replaces the running timer: each validator has one, and only a later height, round or step
 * wins.
 */
export function replacesTimeout(running: Timeout | undefined, next: Timeout): boolean {
  if (running === undefined || next.height !== running.height)
    return running === undefined || next.height > running.height;
  if (next.round !== running.round) return next.round > running.round;
  return STEP_RANK[next.step] > STEP_RANK[running.step];
}
