/** Requests to the application and its results, in ABCI 2.0 terms. */
import type { EncodedResults } from './comet/encoded-results.js';
import type { Touched } from './evm/touched.js';
import type { Height, TimeNs } from './primitives.js';
import type { ExecTxResult, ValidatorUpdate } from './proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from './proto/tendermint/types/params_pb.js';
import type { StateWrite } from './state/state.js';

/** Block context of a state, as its transactions saw it. */
export interface BlockContext extends QueryContext {
  /** Hash of the block (32 bytes). */
  readonly hash: Uint8Array;
  /** Consensus address of the proposer. */
  readonly proposer: Uint8Array;
}

export interface InitChainRequest {
  readonly chainId: string;
  readonly initialHeight: Height;
  readonly time: TimeNs;
  readonly consensusParams: ConsensusParams;
  readonly validators: readonly ValidatorUpdate[];
  /** `app_state` of the genesis document, as parsed JSON. */
  readonly appState: unknown;
}

export interface InitChainResult {
  readonly writes: readonly StateWrite[];
  readonly validators: readonly ValidatorUpdate[];
  readonly consensusParams: ConsensusParams;
}

/** Facts of a block that the application sees besides hash and transactions. */
export interface BlockFacts {
  readonly height: Height;
  readonly time: TimeNs;
  readonly chainId: string;
  readonly proposerAddress: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  /** App hash after the previous block, which this block's header contains. */
  readonly previousAppHash: Uint8Array;
  /** Votes of the previous block's validators, in the order of their set. */
  readonly lastCommitVotes: readonly LastCommitVote[];
  readonly lastCommitRound: number;
  readonly misbehavior: readonly Misbehavior[];
}

/** A validator's vote on the previous block (CometBFT v0.38 `VoteInfo` and `BlockIDFlag`). */
export interface LastCommitVote {
  readonly address: Uint8Array;
  readonly power: bigint;
  /** `absent`: no vote arrived. `nil`: the validator voted nil. */
  readonly flag: 'absent' | 'commit' | 'nil';
}

/** Proven misbehavior of a validator (CometBFT v0.38 `Misbehavior`). */
export interface Misbehavior {
  readonly kind: 'duplicate vote' | 'light client attack';
  readonly address: Uint8Array;
  readonly power: bigint;
  /** Height and time of the misbehavior. */
  readonly height: Height;
  readonly time: TimeNs;
  readonly totalVotingPower: bigint;
}

export interface FinalizeBlockRequest extends BlockFacts {
  /** Hash of the block being executed (32 bytes). */
  readonly hash: Uint8Array;
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions with verified signatures, which are not verified again. */
  readonly verified?: ReadonlySet<number>;
}

export interface ProposedTransaction {
  readonly tx: Uint8Array;
  readonly gasLimit: bigint;
  /** True when the signatures are verified already and need no second check. */
  readonly verified: boolean;
  /**
   * Numbers of the accounts whose nonces it uses: if it is left out, later transactions of these accounts are
   * invalid.
   */
  readonly accounts: readonly number[];
}

/** Height and time are the proposed block's. */
export interface ProcessProposalRequest extends QueryContext {
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions with verified signatures, which are not verified again. */
  readonly verified?: ReadonlySet<number>;
}

/** `index` is that of the first refused transaction. */
export type ProcessProposalResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly index: number; readonly reason: string };

/** `txs` are in block order. */
export interface PrepareProposalRequest extends BlockFacts {
  readonly txs: readonly ProposedTransaction[];
}

/** `taken`: indices of the transactions in the block; not empty when one of them fits into an empty block. */
export type PrepareProposalResult =
  | { readonly kind: 'prepared'; readonly taken: readonly number[] }
  | Extract<FinalizeBlockResult, { readonly kind: 'halted' }>;

/**
 * Result of FinalizeBlock: executed, or halted because an upgrade is due that this build cannot apply (cosmos-sdk
 * v0.53 `x/upgrade/abci.go`). `reason` is the SDK's text.
 */
export type FinalizeBlockResult =
  | {
      readonly kind: 'executed';
      /** Encoded results; the app hash is not known yet. */
      readonly results: EncodedResults;
      /** All written keys, ordered by store name and key bytes, like the SDK's flush of a block. */
      readonly writes: readonly StateWrite[];
      /** Height of the scheduled upgrade after this block; the host needs it before it executes that block. */
      readonly upgradeHeight: Height | undefined;
      /** Addresses touched by the call frames of its Ethereum transactions. */
      readonly touched: readonly Touched[];
      /** Name of the upgrade plan that this block applied. */
      readonly upgradeApplied: string | undefined;
    }
  | {
      readonly kind: 'halted';
      readonly plan: { readonly name: string; readonly height: Height; readonly info: string };
      readonly reason: string;
    };

export interface QueryContext {
  readonly chainId: string;
  readonly height: Height;
  readonly time: TimeNs;
}

/** ABCI query result: `code` 0 with a value, or an SDK error code with codespace and log. */
export type QueryResult =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly code: number; readonly codespace: string; readonly log: string };

export type SimulateResult =
  | { readonly ok: true; readonly gasWanted: bigint; readonly gasUsed: bigint; readonly result: ExecTxResult }
  | {
      readonly ok: false;
      readonly code: number;
      readonly codespace: string;
      readonly log: string;
      readonly gasUsed: bigint;
    };
