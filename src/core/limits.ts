/**
 * What the node holds and does at the most, in one place (reliability-security.md 5.1, design section 12). Who makes a part
 * of a node may give it others; the daemon has these. What bounds one form alone (the length of a name, the depth of typed
 * data) stands beside its decoder and in `docs/interfaces`.
 */
export const DEFAULT_LIMITS = {
  /** JSON-RPC body and websocket message, bytes (design 12). */
  httpBodyBytes: 5 * 1024 * 1024,
  /**
   * Fields of an encoded request or of a transaction that is sent, simulated or decoded, those of messages within messages
   * counted: two bytes are a field. Blocks may hold transactions of more: what is in one is executed everywhere.
   */
  messageParts: 50_000,
  /** Nesting of arrays and objects in a request. */
  jsonDepth: 32,
  /** Objects, arrays and members of objects in a request, counted before anything is made of them. */
  jsonParts: 100_000,
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
  /** Rows of one page of a module's query; the rest follows by `next_key`. */
  pageRows: 1_000,
  /** Postings read by one search at the most. */
  searchRows: 100_000,
  /** Pending transactions (CometBFT `size`; the next two: `max_txs_bytes`, `max_tx_bytes`). */
  mempoolTxs: 5_000,
  /** Bytes of all pending transactions. */
  mempoolBytes: 64 * 1024 * 1024,
  /** Pending transactions of one account. */
  mempoolTxsPerAccount: 2_000,
  /** Ethereum transactions that wait for a lower nonce (geth `txpool.globalqueue`; the next: `txpool.accountqueue`). */
  mempoolQueued: 1_024,
  /** Of one account. */
  mempoolQueuedPerAccount: 64,
  /** Bytes of one transaction. */
  txBytes: 1024 * 1024,
  /** Hashes remembered to refuse duplicates (CometBFT `cache_size`). */
  mempoolCache: 10_000,
  /** Commands that wait for one actor while it handles another one or is restarted. */
  actorInbox: 10_000,
  /** Failures of one actor within `actorRestartWindowMs` after which it is restarted; at the next one the node drains. */
  actorRestarts: 2,
  /** Milliseconds. */
  actorRestartWindowMs: 60_000,
  /** Concurrent ranges over the database (design 4: long scans starve the fsync). */
  concurrentRanges: 2,
  /** Ranges that wait for one of those; beyond it the answer is `busy`. */
  waitingRanges: 256,
  /** Rows of one step of a range. */
  rangeRows: 1_000,
  /** Values of the newest state in memory, once on main and once in the executor. */
  stateCacheValues: 16_384,
  /** Heights that stay provable (design 4). */
  provableHeights: 100,
  /** broadcast_tx_commit waits this long, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
  /** Open connections of one face (design 12). */
  connections: 20_000,
  /** Open websockets of one address on one face; loopback is exempt (design 12). */
  webSocketsPerAddress: 64,
  /** Requests and websocket messages of one address on one face per second in the long run; loopback is exempt. */
  requestsPerSecond: 2_000,
  /** The same at once. */
  requestBurst: 4_000,
  /** Bytes of all request bodies that one face holds at a time. */
  pendingBodyBytes: 128 * 1024 * 1024,
  /** Calls, estimates and traces that wait for a thread of the pool, in each lane; beyond it the answer is `busy`. */
  poolWaiting: 1_024,
  /** A call has this long in the fast lane, milliseconds; then it begins again in the slow one (design 5). */
  poolFastMs: 50,
  /** A call has this long in the slow lane, milliseconds (geth `--rpc.evmtimeout`). */
  poolSlowMs: 5_000,
  /** Polling filters of the Ethereum face in the node (design 12); over it the creators refuse. */
  filters: 10_000,
  /** The same of one client, where clients can be told apart. */
  filtersPerClient: 1_000,
  /** Addresses and topics that all filters, and all log subscriptions, hold together. */
  filterTerms: 200_000,
  /** Polls that wait for another one of the same filter. */
  filterWaitingPolls: 16,
  /** Blocks that one poll of a block filter covers; the rest comes with the next poll. */
  filterPollBlocks: 1_000,
  /** The same of a log filter, which reads only blocks whose logs may match. */
  filterPollLogBlocks: 10_000,
  /** Transactions that one poll of a pending filter answers. */
  filterPollPending: 10_000,
  /** Newest admissions kept in memory for all pending filters together. */
  recentAdmissions: 16_384,
  /** Ethereum subscriptions of one websocket (design 12). */
  ethSubscriptionsPerClient: 1_024,
  /** Ethereum subscriptions of the node (design 12). */
  ethSubscriptions: 100_000,
  /** Commits that the delivery ring holds for sockets that still read; who needs an older one is cut off. */
  ringCommits: 16_384,
  /** Bytes of the texts in it. */
  ringBytes: 128 * 1024 * 1024,
  /** Calls in one batch of the Ethereum face (geth `BatchRequestLimit`; viem sends as many). */
  ethBatchRequests: 1_000,
  /** Bytes of the answers to one batch (geth `BatchResponseMaxSize`). */
  ethBatchResponseBytes: 25_000_000,
  /** Bytes of the traces of one block; a single trace has a bound of its own in the engine (64 MiB). */
  ethTraceBytes: 64 * 1024 * 1024,
  /** Calls of one websocket being answered at a time; further ones wait. */
  ethWsConcurrentCalls: 64,
  /** Messages of one websocket that wait for their turn; beyond it the connection ends. */
  ethWsWaitingMessages: 1_024,
  /** Blocks between the bounds of one `eth_getLogs` (ethermint `block-range-cap`). */
  ethLogsBlockRange: 10_000,
  /** Logs in one answer (ethermint `logs-cap`). */
  ethLogsResults: 10_000,
  /** Addresses, and topics of one position, in a filter (geth `LogQueryLimit`). */
  ethFilterAlternatives: 1_000,
  /** Requests of `eth_sendRawTransactionSync` that wait for their receipts at a time. */
  ethSyncWaiting: 1_000,
  /** Blocks of one `eth_feeHistory` (geth clamps to it). */
  ethFeeHistoryBlocks: 1_024,
  /** Percentiles of one `eth_feeHistory` (geth). */
  ethFeeHistoryPercentiles: 100,
  /** EIP-7702 authorizations in the arguments of one call: each costs a recovery of its signer. */
  ethCallAuthorizations: 256,
  /** Encoded request of a gRPC call, bytes (reliability-security.md P23). */
  grpcRequestBytes: 4 * 1024 * 1024,
  /** Encoded answer of a gRPC call, bytes. */
  grpcAnswerBytes: 16 * 1024 * 1024,
  /** Calls of one gRPC connection at a time. */
  grpcStreams: 100,
  /** A gRPC client that has not ended a request and sends nothing of it for so long is cut, milliseconds; as on the HTTP faces. */
  grpcSilenceMs: 12_000,
  /** A gRPC connection without calls is closed after this long, milliseconds. */
  grpcIdleMs: 300_000,
  /** A gRPC connection is pinged after this long, and cut when no answer comes within `grpcPingTimeoutMs`. */
  grpcPingMs: 60_000,
  /** That answer may take this long, milliseconds. */
  grpcPingTimeoutMs: 20_000,
  /** Characters of an error's text in a gRPC trailer, which clients accept only short. */
  grpcErrorText: 2_048,
  /** Blocks of one `evm_mine`. */
  devMineBlocks: 10_000,
  /** Blocks that one `evm_revert` takes back. */
  devRevertBlocks: 10_000,
  /** Rows of the database that it changes, all in one batch. */
  devRevertRows: 250_000,
  /** Snapshots that can still be gone back to. */
  devSnapshots: 10_000,
  /** Commands of dev mode that wait for the one before. */
  devWaiting: 256,
} as const;

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
