/**
 * Every maximum of the node, in one place (reliability-security.md 5.1, design section 12). Each can be configured and
 * is named in the error that it causes.
 */
export const DEFAULT_LIMITS = {
  /** JSON-RPC body and websocket message, bytes (design 12). */
  httpBodyBytes: 5 * 1024 * 1024,
  /** Nesting of arrays and objects in a request. */
  jsonDepth: 32,
  /** cosmjs batches 20 requests and waits for ever when a batch is refused. */
  batchRequests: 100,
  /** Clients with subscriptions on the consensus websocket (CometBFT `max_subscription_clients`; design 12). */
  cometWsClients: 1_000,
  /** Subscriptions of one of those clients. */
  cometWsSubscriptionsPerClient: 50,
  /** Query of a subscription or a search, bytes (CometBFT `maxQueryLength`). */
  cometQueryBytes: 512,
  /** Bytes buffered per socket at which the pump pauses (design 7). */
  socketPauseBytes: 64 * 1024,
  /** Bytes buffered per socket at which the client is cut off as too slow. */
  socketCutoffBytes: 256 * 1024,
  /** The same when bytes wait this long and the client takes none, milliseconds (design 7). */
  socketStallMs: 10_000,
  /** Results per page when the request names no number (CometBFT `defaultPerPage`). */
  searchPerPageDefault: 30,
  /** Results per page at the most (CometBFT `maxPerPage`). */
  searchPerPage: 100,
  /** Postings read by one search at the most. */
  searchRows: 100_000,
  /** Pending transactions (CometBFT `size`; the next two: `max_txs_bytes`, `max_tx_bytes`). */
  mempoolTxs: 5_000,
  /** Bytes of all pending transactions. */
  mempoolBytes: 64 * 1024 * 1024,
  /** Bytes of one transaction. */
  txBytes: 1024 * 1024,
  /** Hashes remembered to refuse duplicates (CometBFT `cache_size`). */
  mempoolCache: 10_000,
  /** Concurrent ranges over the database (design 4: long scans starve the fsync). */
  concurrentRanges: 2,
  /** Ranges that wait for one of those; beyond it the answer is `busy`. */
  waitingRanges: 256,
  /** Rows of one step of a range. */
  rangeRows: 1_000,
  /** Heights that stay provable (design 4). */
  provableHeights: 100,
  /** broadcast_tx_commit waits this long, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
  /** Open connections of one face (design 12). */
  connections: 20_000,
  /** Open websockets of one address on one face; loopback is exempt (design 12). */
  webSocketsPerAddress: 64,
  /** Bytes of all request bodies that one face holds at a time. */
  pendingBodyBytes: 128 * 1024 * 1024,
  /** Calls, estimates and traces that wait for a thread of the pool, in each lane; beyond it the answer is `busy`. */
  poolWaiting: 1_024,
  /** A call has this long in the fast lane, milliseconds; then it begins again in the slow one (design 5). */
  poolFastMs: 50,
  /** A call has this long in the slow lane, milliseconds (geth `--rpc.evmtimeout`). */
  poolSlowMs: 5_000,
} as const;

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
