/** Limits of executions and answers of the Ethereum face; part of `FIXED_LIMITS`. */
export const CALL_LIMITS = {
  /** Transactions of one query that traces a block, those before it included. */
  tracedTransactions: 1_000,
  /** Gas of one call (geth `--rpc.gascap`). */
  callGas: 50_000_000n,
  /** Gas of a call, or of all attempts of an estimate, on the main thread: about 2 ms of the costliest opcodes. */
  lightCallGas: 300_000n,
  /** Executions that look for the access list of one call. */
  accessListAttempts: 8,
  /** Tracers of one trace, with each `muxTracer` counted. */
  tracersAtOnce: 16,
  /** Pieces of streamed traces, of about 1 MiB, that wait for their reader. */
  traceStreamParts: 4,
  /** Transactions of a block `pending` up to which it is executed in the fast lane. */
  fastBlockTxs: 64,
  /** Time that a thread has to notice its timeout before it is ended, milliseconds. */
  poolGraceMs: 250,
  /** Slots that are tried for the balance or the allowance of a token. */
  tokenSlots: 64,
  /** Memory of an EVM instance, bytes, beyond which it is dropped after the execution: it never shrinks. */
  engineBytes: 384 * 1024 * 1024,
  /** Time that `eth_sendRawTransactionSync` waits, milliseconds. */
  sendSyncMs: 60_000n,
  /** Time that a send waits for its block, milliseconds; then the hash is answered. */
  sendInBlockMs: 20_000,
  /** Time between two looks at the sends that wait for their block, besides one look for each block, milliseconds. */
  sendInBlockLookMs: 250,
  /** Calls of one batch between two turns of the event loop. */
  ethBatchCallsPerTurn: 16,
  /** Signers that one `eth_callBundle` recovers between two turns of the event loop. */
  ethSignersPerTurn: 16,
  /** Characters of the list of waiting transactions that are made between two turns of the event loop. */
  ethPoolBytesPerTurn: 128 * 1024,
  /** Blocks in memory that one `eth_getLogs` reads between two turns of the event loop. */
  ethLogsBlocksPerTurn: 64,
  /** Blocks that one `eth_feeHistory` reads between two turns of the event loop. */
  ethFeeHistoryBlocksPerTurn: 4n,
  /** Storage slots in one request, as in geth. */
  storageSlots: 1_024,
} as const;
