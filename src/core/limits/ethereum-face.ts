/** Limits of requests to the Ethereum API; part of `DEFAULT_LIMITS`. */
export const ETHEREUM_FACE_LIMITS = {
  /** Calls in one batch (geth `BatchRequestLimit`); viem sends batches of this size. */
  ethBatchRequests: 1_000,
  /** Bytes of the answers to one batch (geth `BatchResponseMaxSize`). */
  ethBatchResponseBytes: 25_000_000,
  /** Time limit of one batch, milliseconds; calls not started by then get an error. */
  ethBatchMs: 10_000,
  /** Characters of a transaction list in a batch or on a websocket. */
  ethPoolBytes: 16 * 1024 * 1024,
  /** Bytes of the traces of one request, which the main thread copies into the answer. */
  ethTraceBytes: 32 * 1024 * 1024,
  /** Bytes of the answer to one `eth_simulateV1`. */
  ethSimulationBytes: 32 * 1024 * 1024,
  /** Time to fill the `pending` block with transactions, milliseconds; below `poolSlowMs`. */
  pendingBlockMs: 4_000,
  /** Blocks with transactions re-executed by one `trace_filter`. */
  traceFilterBlocks: 256,
  /** Transactions of one page of `ots_*`. */
  otsPage: 100,
  /** Time limit of a streamed trace, including its client's reading time, milliseconds. */
  traceStreamMs: 60_000,
  /** Traces that run or wait at the same time. */
  ethTracesAtOnce: 16,
  /** Concurrent calls of one websocket; further ones wait. */
  ethWsConcurrentCalls: 64,
  /** Waiting messages of one websocket; above it the connection is closed. */
  ethWsWaitingMessages: 16_384,
  /** Block range of one `eth_getLogs` (ethermint `block-range-cap`) or `trace_filter`. */
  ethLogsBlockRange: 10_000,
  /** Logs in one answer (ethermint `logs-cap`). */
  ethLogsResults: 10_000,
  /** Addresses, and topics of one position, in a filter (geth `LogQueryLimit`). */
  ethFilterAlternatives: 1_000,
  /** Concurrent `eth_sendRawTransactionSync` requests waiting for receipts. */
  ethSyncWaiting: 1_000,
  /** Concurrent sends waiting for their block; further ones are answered at admission. */
  ethSendsInBlock: 16_384,
  /** Blocks of one `eth_feeHistory` (geth answers no more). */
  ethFeeHistoryBlocks: 1_024,
  /** Percentiles of one `eth_feeHistory` (geth). */
  ethFeeHistoryPercentiles: 100,
  /** EIP-7702 authorizations in the arguments of one call: each costs a recovery of its signer. */
  ethCallAuthorizations: 256,
} as const;
