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

/**
 * Thrown when the application refuses a request; the message goes to the engine's log. The application's state is
 * unchanged.
 */
export class AbciRefused extends Error {
  override readonly name = 'AbciRefused';
}

export interface AbciApplication {
  /** Called when an engine opens its query connection, of which it has one: a new engine with an empty mempool. */
  engineBegan?(): void;
  /**
   * Called at the beginning of the handshake, after which the engine replays its blocks above `lastBlockHeight`, and
   * for every `abci_info` of the engine's RPC.
   */
  info(): Promise<AbciInfo>;
  query(query: AbciQuery): Promise<AbciQueryAnswer>;
  /** Checks a transaction; `recheck` is for one that waited while a block was committed. */
  checkTx(tx: Uint8Array, kind: 'new' | 'recheck'): Promise<ResponseCheckTx>;
  /** Called after `info` returned height 0. */
  initChain(request: AbciInitChain): Promise<AbciInitChainAnswer>;
  /**
   * Chooses the transactions of the block to propose: together at most `maxTxBytes` bytes as encoded in a block.
   * `txs` are from the engine's mempool, in order of arrival.
   */
  prepareProposal(proposal: AbciProposal): Promise<readonly Uint8Array[]>;
  processProposal(block: AbciBlock): Promise<Verdict>;
  /** Vote extension for this block; empty without one. */
  extendVote(block: AbciBlock): Promise<Uint8Array>;
  verifyVoteExtension(extension: Uint8Array): Promise<Verdict>;
  /**
   * Executes a decided block; the results contain the app hash after it. Nothing is durable before `commit`. While an
   * upgrade is due that this build cannot apply, the promise stays pending: an error would stop the engine.
   */
  finalizeBlock(block: AbciBlock): Promise<EncodedResults>;
  /** Makes the last finalized block durable. */
  commit(): Promise<AbciCommitAnswer>;
  listSnapshots(): Promise<readonly AbciSnapshot[]>;
  /** Offers a snapshot; light clients have verified `appHash`, the app hash at its height. */
  offerSnapshot(snapshot: AbciSnapshot, appHash: Uint8Array): Promise<SnapshotVerdict>;
  /** Returns a chunk of this application's snapshot; empty when there is no such chunk. */
  loadSnapshotChunk(chunk: AbciChunkId): Promise<Uint8Array>;
  /** Applies the next chunk of the accepted snapshot. `sender` is the id of the peer that sent it. */
  applySnapshotChunk(chunk: AbciChunk): Promise<AbciChunkAnswer>;
}

export interface AbciInfo {
  /** Free text. */
  readonly data: string;
  /** Version of the application's software. */
  readonly version: string;
  /** Version of the application's protocol; header field `version.app`. */
  readonly appVersion: bigint;
  /** Height of the last committed block; 0 before the first. */
  readonly lastBlockHeight: Height;
  readonly lastBlockAppHash: Uint8Array;
}

/** `appState`: the genesis document's `app_state`, as JSON. */
export interface AbciInitChain extends Omit<InitChainRequest, 'appState'> {
  readonly appState: Uint8Array;
}

export interface AbciInitChainAnswer {
  /** Undefined: the genesis document's parameters apply. */
  readonly consensusParams: ConsensusParams | undefined;
  /** First validators; when empty, those of the genesis document apply. */
  readonly validators: readonly ValidatorUpdate[];
  readonly appHash: Uint8Array;
}

/** A block that an engine proposes or has decided. ABCI does not send the header's chain id and app hash. */
export type AbciBlock = Omit<FinalizeBlockRequest, 'chainId' | 'previousAppHash' | 'verified'>;

export type AbciProposal = Pick<RequestPrepareProposal, 'maxTxBytes' | 'txs'>;

export type Verdict = 'accept' | 'reject';

/** `retainHeight`: the engine may delete blocks below it; 0 keeps all. */
export interface AbciCommitAnswer {
  readonly retainHeight: Height;
}

export interface AbciSnapshot {
  readonly height: Height;
  /** Application's format number. */
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
  /** Chunk index from 0. */
  readonly chunk: number;
}

export interface AbciChunk {
  /** Chunk index from 0. */
  readonly index: number;
  readonly chunk: Uint8Array;
  readonly sender: string;
}

export interface AbciChunkAnswer {
  readonly result: 'accept' | 'abort' | 'retry' | 'retry snapshot' | 'reject snapshot';
  /** Indices of chunks to fetch and apply again. */
  readonly refetchChunks: readonly number[];
  /** Ids of peers whose chunks are rejected. */
  readonly rejectSenders: readonly string[];
}
