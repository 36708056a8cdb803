/** Limits of polling filters, of subscriptions and of their delivery; part of `DEFAULT_LIMITS`. */
export const SUBSCRIPTION_LIMITS = {
  /** Polling filters of the node; above it a new filter is refused. */
  filters: 10_000,
  /** Polling filters of one client, where clients can be distinguished. */
  filtersPerClient: 1_000,
  /** Addresses and topics of all filters, and likewise of all log subscriptions. */
  filterTerms: 200_000,
  /** Waiting polls of one filter. */
  filterWaitingPolls: 16,
  /** Blocks that one poll of a block filter covers; further ones follow with the next poll. */
  filterPollBlocks: 1_000,
  /** Blocks that one poll of a log filter covers; it reads only blocks whose logs may match. */
  filterPollLogBlocks: 10_000,
  /** Transactions returned by one poll of a pending-transaction filter. */
  filterPollPending: 10_000,
  /** Newest admissions cached for all pending-transaction filters. */
  recentAdmissions: 16_384,
  /** Ethereum subscriptions of one websocket. */
  ethSubscriptionsPerClient: 1_024,
  /** Ethereum subscriptions of the node. */
  ethSubscriptions: 100_000,
  /** Index entries of one log subscription; above it its topics are compared one by one. */
  logIndexEntries: 256,
  /** Waiting subscribe commands while the registry restarts; above it the answer is `busy`. */
  subscriptionInbox: 1_024,
  /** Commits and admissions in the delivery ring buffer; a socket that needs an older one reads the log. */
  ringCommits: 16_384,
  /** Bytes of the texts in the delivery ring buffer. */
  ringBytes: 128 * 1024 * 1024,
  /** Sockets served per round; with more, delivery pauses so that commits are sent together. */
  pumpAtOnce: 64,
  /** Length of this pause, milliseconds. */
  pumpPauseMs: 2,
  /** Longest time of writing before delivery yields to the event loop, milliseconds. */
  pumpTurnMs: 2,
} as const;
