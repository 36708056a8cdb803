/**
 * Calls from one module into others that listen, in the order that the application version gives (cosmos-sdk v0.53
 * `StakingHooks` in `x/staking/types/expected_keepers.go`, `GovHooks` in `x/gov/types/expected_keepers.go`).
 */
import type { Context } from './context.js';

/** Addresses have 20 bytes: `operator` of a validator, `consensus` of its consensus key. */
export interface StakingHooks {
  readonly afterValidatorCreated?: (context: Context, operator: Uint8Array) => void;
  readonly beforeValidatorModified?: (context: Context, operator: Uint8Array) => void;
  readonly afterValidatorRemoved?: (context: Context, consensus: Uint8Array, operator: Uint8Array) => void;
  readonly afterValidatorBonded?: (context: Context, consensus: Uint8Array, operator: Uint8Array) => void;
  readonly afterValidatorBeginUnbonding?: (context: Context, consensus: Uint8Array, operator: Uint8Array) => void;
  readonly beforeDelegationCreated?: (context: Context, delegator: Uint8Array, operator: Uint8Array) => void;
  readonly beforeDelegationSharesModified?: (context: Context, delegator: Uint8Array, operator: Uint8Array) => void;
  readonly beforeDelegationRemoved?: (context: Context, delegator: Uint8Array, operator: Uint8Array) => void;
  readonly afterDelegationModified?: (context: Context, delegator: Uint8Array, operator: Uint8Array) => void;
  /** `fraction`: of the tokens, with 18 decimals. */
  readonly beforeValidatorSlashed?: (context: Context, operator: Uint8Array, fraction: bigint) => void;
  readonly afterUnbondingInitiated?: (context: Context, id: bigint) => void;
}

export interface GovHooks {
  readonly afterProposalSubmission?: (context: Context, proposal: bigint) => void;
  readonly afterProposalDeposit?: (context: Context, proposal: bigint, depositor: Uint8Array) => void;
  readonly afterProposalVote?: (context: Context, proposal: bigint, voter: Uint8Array) => void;
  readonly afterProposalFailedMinDeposit?: (context: Context, proposal: bigint) => void;
  readonly afterProposalVotingPeriodEnded?: (context: Context, proposal: bigint) => void;
}

/** Listeners of an application version. */
export interface Hooks {
  readonly staking: readonly StakingHooks[];
  readonly gov: readonly GovHooks[];
}
