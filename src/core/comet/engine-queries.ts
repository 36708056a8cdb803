/** The external consensus engine that drives this node, as its RPC describes it. */
import type { StoredBlock } from './stored-block.js';
import type { Outcome } from '../errors.js';
import type { Height } from '../primitives.js';

/** `node_info` and `sync_info` of CometBFT's `status` (v0.38 `rpc/core/status.go`). */
export interface EngineStatus {
  readonly nodeId: string;
  readonly listenAddress: string;
  readonly version: string;
  readonly channels: Uint8Array;
  readonly moniker: string;
  readonly protocol: { readonly p2p: bigint; readonly block: bigint; readonly app: bigint };
  /** Transaction indexing: `on` or `off`. */
  readonly txIndex: string;
  readonly rpcAddress: string;
  readonly catchingUp: boolean;
  readonly earliestHeight: bigint;
  readonly latestHeight: bigint;
}

/** Result of `net_info` (v0.38 `rpc/core/net.go`). */
export interface EngineNetwork {
  readonly listening: boolean;
  readonly peers: bigint;
}

/** Queries to the engine's RPC; each fails with `engine-unreachable` when the engine does not answer. */
export interface EngineQueries {
  /** Complete block of a height: over ABCI the engine sends only parts of it. */
  block(height: Height): Promise<Outcome<StoredBlock>>;
  status(): Promise<Outcome<EngineStatus>>;
  network(): Promise<Outcome<EngineNetwork>>;
}
