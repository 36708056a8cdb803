/** Limits of the connections to a consensus engine in another process; part of `FIXED_LIMITS`. */
export const ABCI_LIMITS = {
  /** Bytes of one message of ABCI (CometBFT v0.38 `abci/types/messages.go`, `maxMsgSize`). */
  abciMessageBytes: 100 * 1024 * 1024,
  /** Fields of one ABCI message; each transaction of a block is one. */
  abciMessageParts: 2_000_000,
  /** Connections to the ABCI server: an engine opens four. */
  abciConnections: 32,
  /** Bytes of answers buffered before they are sent. */
  abciGatheredBytes: 64 * 1024,
  /** Waiting requests of one connection; above it, reading from the connection pauses. */
  abciWaitingRequests: 1_000,
  /** How long the connection of a refused engine stays open, so that it can read the reason, milliseconds. */
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
  /** Delay before transactions that the engine did not accept are sent again, milliseconds. */
  engineRetryMs: 1_000,
} as const;
