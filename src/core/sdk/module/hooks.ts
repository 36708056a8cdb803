/**
 * Hooks that one module calls in others, in the order given by the application version (cosmos-sdk v0.53
 * `StakingHooks` in `x/staking/types/expected_keepers.go`, `GovHooks` in `x/gov/types/expected_keepers.go`;
 * cosmos/evm v0.6 `EvmHooks` in `x/vm/types/interfaces.go`). A hook rejects by throwing SdkError
 * (`docs/decisions/0026-hooks.md`).
 */
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import type { EvmLog } from '../../evm/outcome.js';
import type { Context } from './context.js';

/** Staking hooks. Addresses have 20 bytes: `operator` of a validator, `consensus` of its consensus key. */
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
  /** `fraction` is the slashed fraction of the tokens, in units of 10^-18. */
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

/** An Ethereum transaction executed in a block, with the facts of its receipt. */
export interface ExecutedTransaction {
  readonly transaction: EthereumTransaction;
  /** Sender, 20 bytes. */
  readonly sender: Uint8Array;
  /** Ethereum transaction hash in hex with `0x`. */
  readonly hash: string;
  /** Index among the block's Ethereum transactions. */
  readonly index: number;
  readonly status: 'success' | 'failed';
  /** Gas that the transaction used; the sender pays for it. */
  readonly gasUsed: bigint;
  readonly logs: readonly EvmLog[];
  /** Address of the created contract; undefined when it created none. */
  readonly created: Uint8Array | undefined;
}

export interface EthereumHooks {
  /** Name of the hook; part of `vm_error` when the hook rejects a transaction. */
  readonly name: string;
  /** Optional filter, called before the execution: false skips this listener for the transaction. */
  readonly hears?: (context: Context, sent: Pick<ExecutedTransaction, 'transaction' | 'sender'>) => boolean;
  /**
   * Called after an Ethereum transaction in a block, whether it succeeded or failed. `context` holds the
   * transaction's changes; its store charges no gas.
   */
  readonly postTxProcessing: (context: Context, executed: ExecutedTransaction) => void;
}

/**
 * Hooks at the ends of epochs (evmos v3.0.0 `x/epochs/types/interfaces.go`). `epoch` is the number of the epoch that
 * begins.
 */
export interface EpochHooks {
  readonly afterEpochEnd?: (context: Context, identifier: string, epoch: bigint) => void;
  readonly beforeEpochStart?: (context: Context, identifier: string, epoch: bigint) => void;
}

/** Hooks of an application version. */
export interface Hooks {
  readonly epochs?: readonly EpochHooks[];
  readonly staking: readonly StakingHooks[];
  readonly gov: readonly GovHooks[];
  readonly ethereum: readonly EthereumHooks[];
}
