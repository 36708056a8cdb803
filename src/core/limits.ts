/**
 * Every maximum of the node, in one place (reliability-security.md 5.1, design section 12). Each can be configured and
 * is named in the error that it causes.
 */
export const DEFAULT_LIMITS = {
  /** JSON-RPC body and websocket message, bytes (design 12). */
  httpBodyBytes: 5 * 1024 * 1024,
  jsonDepth: 32,
  /** cosmjs batches 20 requests and waits for ever when a batch is refused. */
  batchRequests: 100,
  /** Consensus websocket (CometBFT `max_subscription_clients`, `max_subscriptions_per_client`; design 12). */
  cometWsClients: 1_000,
  cometWsSubscriptionsPerClient: 50,
  cometQueryBytes: 512,
  /** Bytes buffered per socket before the pump pauses, and before the client is cut off (design 7). */
  socketPauseBytes: 64 * 1024,
  socketCutoffBytes: 256 * 1024,
  searchPerPageDefault: 30,
  searchPerPage: 100,
  /** Postings read by one search at the most. */
  searchRows: 100_000,
  /** Mempool (CometBFT `size`, `max_txs_bytes`, `max_tx_bytes`). */
  mempoolTxs: 5_000,
  mempoolBytes: 64 * 1024 * 1024,
  txBytes: 1024 * 1024,
  /** Hashes remembered to refuse duplicates (CometBFT `cache_size`). */
  mempoolCache: 10_000,
  /** Concurrent ranges over the database (design 4: long scans starve the fsync). */
  concurrentRanges: 2,
  /** Ranges that wait for one of those; beyond it the answer is `busy`. */
  waitingRanges: 256,
  rangeRows: 1_000,
  /** Heights that stay provable (design 4). */
  provableHeights: 100,
  /** broadcast_tx_commit waits this long, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
  connections: 20_000,
} as const;

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
