/** Limits of executions and answers of the Ethereum API; part of `FIXED_LIMITS`. */
export const CALL_LIMITS = {
  /** Transactions of one query that traces a block, those before it included. */
  tracedTransactions: 1_000,
  /** Gas of one call (geth `--rpc.gascap`). */
  callGas: 50_000_000n,
  /** Gas of a call, or of all attempts of an estimate, on the main thread: about 2 ms of the costliest opcodes. */
  lightCallGas: 300_000n,
  /** Executions used to find the access list of one call. */
  accessListAttempts: 8,
  /** Tracers of one trace, counting each `muxTracer`. */
  tracersAtOnce: 16,
  /** Pieces of a streamed trace (about 1 MiB each) buffered for its reader. */
  traceStreamParts: 4,
  /** A `pending` block with at most this many transactions is executed in the fast queue. */
  fastBlockTxs: 64,
  /** Grace period after a timeout before a thread is terminated, milliseconds. */
  poolGraceMs: 250,
  /** Storage slots tried to find a token's balance or allowance. */
  tokenSlots: 64,
  /**
   * An EVM instance with more memory than this, bytes, is dropped after an execution, because its memory never shrinks.
   */
  engineBytes: 384 * 1024 * 1024,
  /** Time that `eth_sendRawTransactionSync` waits, milliseconds. */
  sendSyncMs: 60_000n,
  /** How long a send waits for its block, milliseconds; then it returns the hash. */
  sendInBlockMs: 20_000,
  /** Polling interval of sends that wait for their block, in addition to a check per block, milliseconds. */
  sendInBlockPollMs: 250,
  /** Calls of one batch between two turns of the event loop. */
  ethBatchCallsPerTurn: 16,
  /** Signers that one `eth_callBundle` recovers between two turns of the event loop. */
  ethSignersPerTurn: 16,
  /** Characters of a long answer written between two turns of the event loop; a longer one may be streamed. */
  ethAnswerBytesPerTurn: 128 * 1024,
  /** Transactions and logs of a block whose digests are computed between two turns of the event loop. */
  ethDigestItemsPerTurn: 256,
  /** Logs whose JSON is written between two turns of the event loop. */
  ethLogTextsPerTurn: 2_048,
  /** Blocks in memory that one `eth_getLogs` reads between two turns of the event loop. */
  ethLogsBlocksPerTurn: 64,
  /** Blocks that one `eth_feeHistory` reads between two turns of the event loop. */
  ethFeeHistoryBlocksPerTurn: 4,
  /**
   * Transactions of blocks not in memory that one `eth_feeHistory` decodes between two turns of the event loop: 1,000
   * take 40 ms.
   */
  ethFeeHistoryDecodedPerTurn: 128,
  /** Characters of transaction results that one `block_results` writes between two turns of the event loop. */
  resultCharactersPerTurn: 128 * 1024,
  /** Storage slots in one request, as in geth. */
  storageSlots: 1_024,
} as const;
