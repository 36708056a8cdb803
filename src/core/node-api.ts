/**
 * Everything that an adapter may use of the node: commands, queries and feeds. Adapters never see xstate, RxJS or
 * LevelDB. Reads see the published head: later content of the database is invisible.
 */
import type { Touched } from './evm/touched.js';
import type { EncodedResults } from './comet/encoded-results.js';
import type { QueryResult, SimulateResult } from './application-requests.js';
import type { StoredBlock } from './comet/stored-block.js';
import type { EngineQueries } from './engine.js';
import type { ConsensusEvent } from './websocket-events.js';
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
  /** App hash after executing `height`. */
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

/** The part of what was found that is read: `limit` of it after the first `offset`, counted from one of its ends. */
export interface SearchSlice {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** The number of all that was found, and the part that was read, in the order of the slice. */
export interface SearchResult<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

export interface ChainQueries {
  head(): Head;
  /** Highest readable block: one above the head while an upgrade halts its execution. */
  tip(): Height;
  /** The first block that is kept. */
  earliestHeight(): Height;
  /** Lowest height whose state is kept; that before the first block may be. */
  earliestState(): Height;
  /** Genesis document, chain id and first height. */
  genesis(): { readonly json: Uint8Array; readonly chainId: string; readonly initialHeight: Height };
  block(height: Height): StoredBlock | undefined;
  heightByHash(blockHash: Uint8Array): Height | undefined;
  /** Results of an executed block with its app hash. */
  results(height: Height): EncodedResults | undefined;
  /** Addresses that the frames of the block's Ethereum transactions touched, where the log has them. */
  touched(height: Height): readonly Touched[];
  /** Commit that signed the block; not canonical for the head, whose canonical commit stands in the next block. */
  commit(height: Height): { readonly commit: Commit; readonly canonical: boolean } | undefined;
  validators(height: Height): ValidatorSet | undefined;
  consensusParams(height: Height): ConsensusParams | undefined;
  tx(hash: Uint8Array): StoredTx | undefined;
  /** Height and index of a transaction, by consensus hash or by the Ethereum hash of the transaction inside. */
  place(hash: Uint8Array): { readonly height: Height; readonly index: number } | undefined;
  /** Counts matching heights or transactions, and reads a slice of them. Conditions are ANDed (`src/core/query`). */
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
  /** 0 means the head. */
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
  /** Address of the node for peers. */
  readonly listenAddress: string;
  readonly rpcAddress: string;
  readonly validator: Validator | undefined;
  readonly catchingUp: boolean;
  readonly mode: 'running' | 'halted' | 'draining';
  readonly halt: { readonly name: string; readonly height: Height; readonly info: string } | undefined;
  readonly appVersion: bigint;
}

/** `hash`: of the evidence, 32 bytes. `reason`: in CometBFT's words where it has any. */
export type EvidenceAnswer =
  | { readonly kind: 'taken'; readonly hash: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string };

export interface Commands {
  /** Admits a transaction (CheckTx). Resolves when its result may be shown; `busy` and duplicates are errors. */
  broadcastTx(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>>;
  checkTx(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>>;
  /**
   * Takes evidence against a validator, which has no problem of its own (`duplicateVoteProblem`), for one of the next
   * blocks.
   */
  broadcastEvidence(evidence: Evidence): EvidenceAnswer;
}

/** The application's queries with its own errors, before `abci_query` rewrites them. */
export interface AppQueries {
  /** gRPC paths of the application's queries, for example `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly paths: ReadonlySet<string>;
  /** One of `paths` over the state after a height up to the head; `state-pruned` when it is no longer kept. */
  query(path: string, data: Uint8Array, height: Height): Promise<Outcome<QueryResult>>;
  /** Runs a transaction over the state after the head without signature checks and without lasting effects. */
  simulate(tx: Uint8Array): Promise<Outcome<SimulateResult>>;
}

export interface Queries {
  readonly chain: ChainQueries;
  readonly app: AppQueries;
  /** The consensus engine in another process that makes the blocks; undefined where this process makes them. */
  readonly engine?: EngineQueries | undefined;
  status(): NodeStatus;
  abciQuery(query: AbciQuery): Promise<Outcome<AbciQueryAnswer>>;
  unconfirmedTxs(): { readonly txs: readonly Uint8Array[]; readonly totalBytes: bigint };
  /** Height, round and step of the running round. */
  roundState(): { readonly height: Height; readonly round: number; readonly step: number };
}

/** Everything in one published commit that push faces deliver, in order. */
export interface CommitEvents {
  readonly position: Position;
  readonly events: readonly ConsensusEvent[];
}

export interface Feeds {
  /**
   * Calls `listener` once for each published commit, in log order, synchronously after publication. Returns the
   * function that unsubscribes.
   */
  onCommit(listener: (commit: CommitEvents) => void): () => void;
}

export interface NodeApi {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly feeds: Feeds;
}
