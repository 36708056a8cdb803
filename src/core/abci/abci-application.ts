/**
 * An application as a consensus engine in another process drives it: the methods of ABCI 2.0 (CometBFT v0.38 spec,
 * abci/abci++_methods) in terms of this program. `src/adapters/abci` puts them on the wire.
 *
 * The calls of one connection come one after another, in the order of its requests; an engine has a connection for
 * consensus and one each for its mempool, for queries and for snapshots, whose calls can be under way at the same time.
 * A call that rejects ends the connection: the engine receives the error's message, and ends itself. With AbciRefused
 * the application can go on; any other error is a failure of this process.
 */
import type { FinalizeBlockRequest, InitChainRequest } from '../application-requests.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import type { AbciQuery, AbciQueryAnswer } from '../node-api.js';
import type { Height } from '../primitives.js';
import type { RequestPrepareProposal, ResponseCheckTx, ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';

/** A request that the application refuses, with the reason for the engine's log; its state is as before. */
export class AbciRefused extends Error {
  override readonly name = 'AbciRefused';
}

export interface AbciApplication {
  /** An engine begins, with an empty mempool: it has opened its connection for queries, of which it has one. */
  engineBegan?(): void;
  /**
   * Asked at the beginning of a handshake, whose engine replays its blocks above `lastBlockHeight`, and by every
   * `abci_info` of the engine's RPC.
   */
  info(): Promise<AbciInfo>;
  query(query: AbciQuery): Promise<AbciQueryAnswer>;
  /** `recheck`: of a transaction that has waited while a block was committed. */
  checkTx(tx: Uint8Array, kind: 'new' | 'recheck'): Promise<ResponseCheckTx>;
  /** Asked when `info` has answered height 0. */
  initChain(request: AbciInitChain): Promise<AbciInitChainAnswer>;
  /**
   * The transactions of the block to propose; together at most `maxTxBytes` bytes as they stand in a block. `txs` are
   * those of the engine's mempool, in order of their arrival.
   */
  prepareProposal(proposal: AbciProposal): Promise<readonly Uint8Array[]>;
  processProposal(block: AbciBlock): Promise<Verdict>;
  /** The extension of a vote for this block; empty without one. */
  extendVote(block: AbciBlock): Promise<Uint8Array>;
  verifyVoteExtension(extension: Uint8Array): Promise<Verdict>;
  /**
   * Executes a decided block. The results contain the app hash after it. Nothing of it lasts before `commit`. While an
   * upgrade is due that this build cannot apply, the promise stays pending: an error would end the engine.
   */
  finalizeBlock(block: AbciBlock): Promise<EncodedResults>;
  /** Makes the last finalized block last. */
  commit(): Promise<AbciCommitAnswer>;
  listSnapshots(): Promise<readonly AbciSnapshot[]>;
  /** `appHash`: of the snapshot's height, as light clients have verified it. */
  offerSnapshot(snapshot: AbciSnapshot, appHash: Uint8Array): Promise<SnapshotVerdict>;
  /** A chunk of an own snapshot; empty when there is no such chunk. */
  loadSnapshotChunk(chunk: AbciChunkId): Promise<Uint8Array>;
  /** The next chunk of the snapshot that was accepted last. `sender` is the id of the peer that it came from. */
  applySnapshotChunk(chunk: AbciChunk): Promise<AbciChunkAnswer>;
}

export interface AbciInfo {
  /** Text for people. */
  readonly data: string;
  /** Version of the application's program. */
  readonly version: string;
  /** Version of its rules; header field `version.app`. */
  readonly appVersion: bigint;
  /** 0 before the first block. */
  readonly lastBlockHeight: Height;
  readonly lastBlockAppHash: Uint8Array;
}

/** `appState`: the genesis document's `app_state`, as JSON. */
export interface AbciInitChain extends Omit<InitChainRequest, 'appState'> {
  readonly appState: Uint8Array;
}

export interface AbciInitChainAnswer {
  /** Undefined: those of the genesis document hold. */
  readonly consensusParams: ConsensusParams | undefined;
  /** The first validators; without any, those of the genesis document. */
  readonly validators: readonly ValidatorUpdate[];
  readonly appHash: Uint8Array;
}

/** A block as an engine proposes or has decided it. The header's chain id and app hash are not sent. */
export type AbciBlock = Omit<FinalizeBlockRequest, 'chainId' | 'previousAppHash' | 'verified'>;

export type AbciProposal = Pick<RequestPrepareProposal, 'maxTxBytes' | 'txs'>;

export type Verdict = 'accept' | 'reject';

/** `retainHeight`: the engine may delete blocks below it; 0 keeps all. */
export interface AbciCommitAnswer {
  readonly retainHeight: Height;
}

export interface AbciSnapshot {
  readonly height: Height;
  /** Number of the application's format. */
  readonly format: number;
  readonly chunks: number;
  /** Opaque; equal hashes mean equal snapshots. */
  readonly hash: Uint8Array;
  readonly metadata: Uint8Array;
}

export type SnapshotVerdict = 'accept' | 'abort' | 'reject' | 'reject format' | 'reject sender';

export interface AbciChunkId {
  readonly height: Height;
  readonly format: number;
  /** From 0. */
  readonly chunk: number;
}

export interface AbciChunk {
  /** From 0. */
  readonly index: number;
  readonly chunk: Uint8Array;
  readonly sender: string;
}

export interface AbciChunkAnswer {
  readonly result: 'accept' | 'abort' | 'retry' | 'retry snapshot' | 'reject snapshot';
  /** Indices of chunks to fetch and apply again. */
  readonly refetchChunks: readonly number[];
  /** Peers whose chunks are rejected. */
  readonly rejectSenders: readonly string[];
}
