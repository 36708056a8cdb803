/** Limits of the connections to a consensus engine in another process; part of `FIXED_LIMITS`. */
export const ABCI_LIMITS = {
  /** Bytes of one message of ABCI (CometBFT v0.38 `abci/types/messages.go`, `maxMsgSize`). */
  abciMessageBytes: 100 * 1024 * 1024,
  /** Fields of one message of ABCI: a transaction of a block is one. */
  abciMessageParts: 2_000_000,
  /** Connections to the ABCI server: an engine opens four. */
  abciConnections: 32,
  /** Bytes of answers that are gathered before they are sent. */
  abciGatheredBytes: 64 * 1024,
  /** Requests of one connection that wait for their turn; beyond it nothing more is read. */
  abciWaitingRequests: 1_000,
  /** Time that a refused engine has to read why, milliseconds. */
  abciLingerMs: 2_000,
  /** Idle time after which the system sends TCP keep-alive probes to the engine, milliseconds. */
  abciKeepAliveMs: 15_000,
  /** Calls in one request to the RPC of a consensus engine (CometBFT v0.38 `max_request_batch_size`). */
  engineBatch: 10,
  /** Bytes of one request to the RPC of a consensus engine (CometBFT `max_body_bytes`). */
  engineBodyBytes: 1_000_000,
  /** Bytes of a call in a request to the engine, without its transaction. */
  engineCallBytes: 100,
  /** Longest wait for an answer of the engine's RPC, milliseconds. */
  engineCallMs: 10_000,
  /** Pause after which transactions that the engine did not take are sent again, milliseconds. */
  engineRetryMs: 1_000,
} as const;
