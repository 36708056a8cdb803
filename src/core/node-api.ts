/**
 * Everything that an adapter may use of the node: commands, queries and feeds. Adapters never see xstate, RxJS or
 * LevelDB. Reads stop at the published head: later database content is invisible.
 */
import type { Touched } from './evm/touched.js';
import type { EncodedResults } from './comet/encoded-results.js';
import type { QueryResult, SimulateResult } from './application-requests.js';
import type { StoredBlock } from './comet/stored-block.js';
import type { EngineQueries } from './comet/engine-queries.js';
import type { ConsensusEvent } from './comet/websocket-events.js';
import type { Outcome } from './errors.js';
import type { Height, Position, TimeNs } from './primitives.js';
import type { ExecTxResult, ResponseCheckTx } from './proto/tendermint/abci/types_pb.js';
import type { Evidence } from './proto/tendermint/types/evidence_pb.js';
import type { ConsensusParams } from './proto/tendermint/types/params_pb.js';
import type { Commit } from './proto/tendermint/types/types_pb.js';
import type { Validator, ValidatorSet } from './proto/tendermint/types/validator_pb.js';

export type { Outcome } from './errors.js';

export interface Head {
  readonly height: Height;
  readonly position: Position;
  readonly blockHash: Uint8Array;
  /** App hash after the block at `height`. */
  readonly appHash: Uint8Array;
  readonly time: TimeNs;
}

export interface StoredTx {
  readonly hash: Uint8Array;
  readonly height: Height;
  readonly index: number;
  readonly tx: Uint8Array;
  readonly result: ExecTxResult;
}

/** The part of a search result to read: `limit` items after `offset`, counted from either end. */
export interface SearchSlice {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** Total number of matches, and the items of the slice in its order. */
export interface SearchResult<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

export interface ChainQueries {
  head(): Head;
  /** Highest readable block: one above the head while an upgrade halts its execution. */
  tip(): Height;
  /** Lowest height whose block is kept. */
  earliestHeight(): Height;
  /** Lowest height whose state is kept; it may be the one before the first block. */
  earliestState(): Height;
  /** Genesis document, chain id and first height. */
  genesis(): { readonly json: Uint8Array; readonly chainId: string; readonly initialHeight: Height };
  block(height: Height): StoredBlock | undefined;
  heightByHash(blockHash: Uint8Array): Height | undefined;
  /** Results of an executed block, with the app hash after it. */
  results(height: Height): EncodedResults | undefined;
  /** Addresses touched in the call frames of the block's Ethereum transactions, if the log has them. */
  touched(height: Height): readonly Touched[];
  /** Commit of a block; not canonical for the head, whose canonical commit is in the next block. */
  commit(height: Height): { readonly commit: Commit; readonly canonical: boolean } | undefined;
  validators(height: Height): ValidatorSet | undefined;
  consensusParams(height: Height): ConsensusParams | undefined;
  tx(hash: Uint8Array): StoredTx | undefined;
  /** Height and index of a transaction, by CometBFT hash or by the Ethereum hash of the transaction inside. */
  place(hash: Uint8Array): { readonly height: Height; readonly index: number } | undefined;
  /** Counts matching transactions and reads a slice of them. Conditions are ANDed (`src/core/query`). */
  searchTxs(
    query: string,
    slice: SearchSlice,
  ): Promise<Outcome<SearchResult<{ readonly height: Height; readonly index: number }>>>;
  searchBlocks(query: string, slice: SearchSlice): Promise<Outcome<SearchResult<Height>>>;
  txAt(height: Height, index: number): StoredTx | undefined;
}

export interface AbciQuery {
  readonly path: string;
  readonly data: Uint8Array;
  /** Height of the state; 0 means the head. */
  readonly height: bigint;
  readonly prove: boolean;
}

export interface AbciQueryAnswer {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly info: string;
  readonly index: bigint;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly proofOps:
    | readonly { readonly type: string; readonly key: Uint8Array; readonly data: Uint8Array }[]
    | undefined;
  readonly height: bigint;
}

export interface NodeStatus {
  readonly moniker: string;
  readonly nodeId: string;
  readonly version: string;
  /** P2P address of the node. */
  readonly listenAddress: string;
  readonly rpcAddress: string;
  readonly validator: Validator | undefined;
  readonly catchingUp: boolean;
  readonly mode: 'running' | 'halted' | 'draining';
  readonly halt: { readonly name: string; readonly height: Height; readonly info: string } | undefined;
  readonly appVersion: bigint;
}

/** `hash` of the evidence, 32 bytes; `reason` in CometBFT's words when it has some. */
export type EvidenceAnswer =
  | { readonly kind: 'taken'; readonly hash: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string };

export interface Commands {
  /** Admits a transaction (CheckTx). Resolves when the result may be shown; errors include `busy` and duplicates. */
  broadcastTx(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>>;
  checkTx(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>>;
  /**
   * Accepts evidence against a validator for one of the next blocks. The caller has validated it
   * (`duplicateVoteProblem`).
   */
  broadcastEvidence(evidence: Evidence): EvidenceAnswer;
}

/** Application queries with the application's errors, before `abci_query` rewrites them. */
export interface AppQueries {
  /** gRPC paths of the application's queries, for example `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly paths: ReadonlySet<string>;
  /**
   * Runs one of `paths` on the state after a height up to the head; `state-pruned` when that state is no longer kept.
   */
  query(path: string, data: Uint8Array, height: Height): Promise<Outcome<QueryResult>>;
  /** Runs a transaction on the state after the head without signature checks and discards its effects. */
  simulate(tx: Uint8Array): Promise<Outcome<SimulateResult>>;
}

export interface Queries {
  readonly chain: ChainQueries;
  readonly app: AppQueries;
  /** The external consensus engine that makes the blocks; undefined when this process makes them. */
  readonly engine?: EngineQueries | undefined;
  status(): NodeStatus;
  abciQuery(query: AbciQuery): Promise<Outcome<AbciQueryAnswer>>;
  unconfirmedTxs(): { readonly txs: readonly Uint8Array[]; readonly totalBytes: bigint };
  /** Height, round and step of the running round. */
  roundState(): { readonly height: Height; readonly round: number; readonly step: number };
}

/** Everything that push faces deliver for one published commit, in order. */
export interface CommitEvents {
  readonly position: Position;
  readonly events: readonly ConsensusEvent[];
}

export interface Feeds {
  /**
   * Calls `listener` once per published commit, in log order, synchronously after publication. Returns a function
   * that unsubscribes.
   */
  onCommit(listener: (commit: CommitEvents) => void): () => void;
}

export interface NodeApi {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly feeds: Feeds;
}
