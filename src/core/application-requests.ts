/** Requests to the application and its results, in the terms of ABCI 2.0. */
import type { EncodedResults } from './comet/encoded-results.js';
import type { Touched } from './evm/touched.js';
import type { Height, TimeNs } from './primitives.js';
import type { ExecTxResult, ValidatorUpdate } from './proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from './proto/tendermint/types/params_pb.js';
import type { StateWrite } from './state/state.js';

/** The block of a state, as its transactions saw it. */
export interface BlockContext extends QueryContext {
  /** Hash of the block (32 bytes). */
  readonly hash: Uint8Array;
  /** Consensus address of its proposer. */
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

/** The facts of a block besides its hash and its transactions, as the application sees them. */
export interface BlockFacts {
  readonly height: Height;
  readonly time: TimeNs;
  readonly chainId: string;
  readonly proposerAddress: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  /** The app hash of the block before, which the header holds. */
  readonly previousAppHash: Uint8Array;
  /** The validators of the previous block, in the order of their set. */
  readonly lastCommitVotes: readonly LastCommitVote[];
  readonly lastCommitRound: number;
  readonly misbehavior: readonly Misbehavior[];
}

/** The vote of a validator on the previous block (CometBFT v0.38 `VoteInfo` and `BlockIDFlag`). */
export interface LastCommitVote {
  readonly address: Uint8Array;
  readonly power: bigint;
  /** `absent`: no vote came in; `nil`: the vote was for no block. */
  readonly flag: 'absent' | 'commit' | 'nil';
}

/** A proven offence of a validator (CometBFT v0.38 `Misbehavior`). */
export interface Misbehavior {
  readonly kind: 'duplicate vote' | 'light client attack';
  readonly address: Uint8Array;
  readonly power: bigint;
  /** Height and time of the offence. */
  readonly height: Height;
  readonly time: TimeNs;
  readonly totalVotingPower: bigint;
}

export interface FinalizeBlockRequest extends BlockFacts {
  /** Hash of the block being executed (32 bytes). */
  readonly hash: Uint8Array;
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions whose signatures were checked earlier and are not checked again. */
  readonly verified?: ReadonlySet<number>;
}

export interface ProposedTransaction {
  readonly tx: Uint8Array;
  readonly gasLimit: bigint;
  /** Its signatures were checked earlier and are not checked again. */
  readonly verified: boolean;
  /** The accounts whose nonces it uses, as numbers: without it, later transactions of these accounts are invalid. */
  readonly accounts: readonly number[];
}

/** Height and time are those of the proposed block. */
export interface ProcessProposalRequest extends QueryContext {
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions whose signatures were checked earlier and are not checked again. */
  readonly verified?: ReadonlySet<number>;
}

/** `index`: of the first transaction that is refused. */
export type ProcessProposalResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly index: number; readonly reason: string };

/** `txs`: in the order of the block. */
export interface PrepareProposalRequest extends BlockFacts {
  readonly txs: readonly ProposedTransaction[];
}

/** `taken`: places of the transactions that make the block; at least one when one of them fits an empty block. */
export type PrepareProposalResult =
  | { readonly kind: 'prepared'; readonly taken: readonly number[] }
  | Extract<FinalizeBlockResult, { readonly kind: 'halted' }>;

/**
 * Either the block was executed, or it must not be, because an upgrade is due that this build cannot apply (cosmos-sdk
 * v0.53 `x/upgrade/abci.go`). `reason` is the SDK's text.
 */
export type FinalizeBlockResult =
  | {
      readonly kind: 'executed';
      /** The results as bytes, written transaction by transaction; the app hash is not known yet. */
      readonly results: EncodedResults;
      /** Every written leaf, stores by name and keys in byte order: the order in which the SDK flushes a block. */
      readonly writes: readonly StateWrite[];
      /** Height of the scheduled upgrade after this block, so that the host knows before it executes that block. */
      readonly upgradeHeight: Height | undefined;
      /** Addresses that the frames of its Ethereum transactions touched, where there are any. */
      readonly touched: readonly Touched[];
      /** Upgrade that this block applied. */
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

/** ABCI query result: `code` 0 and a value, or an SDK code, codespace and log. */
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
