/** Limits of requests to the Ethereum face; part of `DEFAULT_LIMITS`. */
export const ETHEREUM_FACE_LIMITS = {
  /** Calls in one batch of the Ethereum face (geth `BatchRequestLimit`); viem sends batches of this size. */
  ethBatchRequests: 1_000,
  /** Bytes of the answers to one batch (geth `BatchResponseMaxSize`). */
  ethBatchResponseBytes: 25_000_000,
  /** Time of one batch, milliseconds; calls that did not begin by then are answered by an error. */
  ethBatchMs: 10_000,
  /** Characters of an answer in a batch or on a websocket that lists the waiting transactions. */
  ethPoolBytes: 16 * 1024 * 1024,
  /** Bytes of the traces of one request, which the main thread copies into the answer. */
  ethTraceBytes: 32 * 1024 * 1024,
  /** Bytes of the answer to one `eth_simulateV1`. */
  ethSimulationBytes: 32 * 1024 * 1024,
  /** Time in which transactions are taken into the block `pending`, milliseconds, below `poolSlowMs`. */
  pendingBlockMs: 4_000,
  /** Blocks with transactions that one `trace_filter` executes anew. */
  traceFilterBlocks: 256,
  /** Transactions of one page of `ots_*`. */
  otsPage: 100,
  /** Time of a trace that is streamed, with the time in which its client reads, milliseconds. */
  traceStreamMs: 60_000,
  /** Traces that run or wait at the same time. */
  ethTracesAtOnce: 16,
  /** Calls of one websocket that are answered at the same time; further ones wait. */
  ethWsConcurrentCalls: 64,
  /** Waiting messages of one websocket; beyond it the connection ends. */
  ethWsWaitingMessages: 16_384,
  /** Blocks between the bounds of one `eth_getLogs` (ethermint `block-range-cap`), and of one `trace_filter`. */
  ethLogsBlockRange: 10_000,
  /** Logs in one answer (ethermint `logs-cap`). */
  ethLogsResults: 10_000,
  /** Addresses, and topics of one position, in a filter (geth `LogQueryLimit`). */
  ethFilterAlternatives: 1_000,
  /** Requests of `eth_sendRawTransactionSync` that wait for their receipts at the same time. */
  ethSyncWaiting: 1_000,
  /** Sends of transactions that wait for their block at the same time; further ones are answered at admission. */
  ethSendsInBlock: 16_384,
  /** Blocks of one `eth_feeHistory` (geth answers no more). */
  ethFeeHistoryBlocks: 1_024,
  /** Percentiles of one `eth_feeHistory` (geth). */
  ethFeeHistoryPercentiles: 100,
  /** EIP-7702 authorizations in the arguments of one call: each costs a recovery of its signer. */
  ethCallAuthorizations: 256,
} as const;
