/** Limits of the consensus (CometBFT) API; part of `DEFAULT_LIMITS`. */
export const CONSENSUS_FACE_LIMITS = {
  /** Clients with subscriptions on the consensus websocket (CometBFT `max_subscription_clients`). */
  cometWsClients: 1_000,
  /** Subscriptions of one client of the consensus websocket. */
  cometWsSubscriptionsPerClient: 50,
  /** Waiting requests of one consensus websocket; `cometBodyBytes` bounds their size. */
  cometWsWaitingMessages: 1_000,
  /** Size of a request body or websocket message, bytes (CometBFT `max_body_bytes`). */
  cometBodyBytes: 1_000_000,
  /** Characters of the answers to one batch: later calls get an error. */
  cometBatchResponseBytes: 32 * 1024 * 1024,
  /** Characters of a batch's answers, and bytes of listed transactions, between two turns of the event loop. */
  cometBytesPerTurn: 64 * 1024,
  /** Length of a subscription or search query, bytes (CometBFT `maxQueryLength`). */
  cometQueryBytes: 512,
  /** Results per page when the request gives no number (CometBFT `defaultPerPage`). */
  searchPerPageDefault: 30,
  /** Largest number of results per page (CometBFT `maxPerPage`). */
  searchPerPage: 100,
  /** Timeout of broadcast_tx_commit, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
} as const;
