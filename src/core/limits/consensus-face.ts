/** Limits of the consensus face; part of `DEFAULT_LIMITS`. */
export const CONSENSUS_FACE_LIMITS = {
  /** Clients with subscriptions on the consensus websocket (CometBFT `max_subscription_clients`). */
  cometWsClients: 1_000,
  /** Subscriptions of one client of the consensus websocket. */
  cometWsSubscriptionsPerClient: 50,
  /** Requests of one consensus websocket that wait for their turn; `cometBodyBytes` bounds their bytes. */
  cometWsWaitingMessages: 1_000,
  /** Body of a request and message of a websocket of the consensus face, bytes (CometBFT `max_body_bytes`). */
  cometBodyBytes: 1_000_000,
  /** Query of a subscription or a search, bytes (CometBFT `maxQueryLength`). */
  cometQueryBytes: 512,
  /** Results per page when the request gives no number (CometBFT `defaultPerPage`). */
  searchPerPageDefault: 30,
  /** Largest number of results per page (CometBFT `maxPerPage`). */
  searchPerPage: 100,
  /** Longest wait of broadcast_tx_commit, milliseconds (CometBFT `timeout_broadcast_tx_commit`). */
  broadcastCommitMs: 10_000,
} as const;
