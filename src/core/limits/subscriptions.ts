/** Limits of polling filters, of subscriptions and of their delivery; part of `DEFAULT_LIMITS`. */
export const SUBSCRIPTION_LIMITS = {
  /** Polling filters of the Ethereum face in the node; beyond it a new filter is refused. */
  filters: 10_000,
  /** Polling filters of one client, where clients can be distinguished. */
  filtersPerClient: 1_000,
  /** Addresses and topics that all filters, and all log subscriptions, hold together. */
  filterTerms: 200_000,
  /** Polls that wait for another poll of the same filter. */
  filterWaitingPolls: 16,
  /** Blocks that one poll of a block filter covers; further ones follow with the next poll. */
  filterPollBlocks: 1_000,
  /** Blocks that one poll of a log filter covers; it reads only blocks whose logs may match. */
  filterPollLogBlocks: 10_000,
  /** Transactions that one poll of a pending filter answers. */
  filterPollPending: 10_000,
  /** Newest admissions kept in memory for all pending filters together. */
  recentAdmissions: 16_384,
  /** Ethereum subscriptions of one websocket. */
  ethSubscriptionsPerClient: 1_024,
  /** Ethereum subscriptions of the node. */
  ethSubscriptions: 100_000,
  /** Places at which one log subscription is indexed; beyond it its topics are compared exactly instead. */
  logIndexEntries: 256,
  /** Subscribes that wait while the registry is restarted; beyond it the answer is `busy`. */
  subscriptionInbox: 1_024,
  /** Commits and admissions in the delivery ring; a socket that needs an older one reads the log. */
  ringCommits: 16_384,
  /** Bytes of the texts in the delivery ring. */
  ringBytes: 128 * 1024 * 1024,
  /** Sockets that are served at once; where more have something to write, the pump pauses and commits gather. */
  pumpAtOnce: 64,
  /** Length of the pump's pause, milliseconds. */
  pumpPauseMs: 2,
  /** Milliseconds for which the pump writes before the event loop has its turn. */
  pumpTurnMs: 2,
} as const;
