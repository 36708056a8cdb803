/** Limits of the mempool; part of `DEFAULT_LIMITS`. */
export const MEMPOOL_LIMITS = {
  /** Pending transactions (CometBFT `size`). */
  mempoolTxs: 5_000,
  /** Bytes of all pending transactions. */
  mempoolBytes: 64 * 1024 * 1024,
  /** Pending transactions of one account. */
  mempoolTxsPerAccount: 2_000,
  /** Ethereum transactions that wait for a lower nonce (geth `txpool.globalqueue`). */
  mempoolQueued: 1_024,
  /** Ethereum transactions of one account that wait for a lower nonce (geth `txpool.accountqueue`). */
  mempoolQueuedPerAccount: 64,
  /** Hashes remembered to refuse duplicates (CometBFT `cache_size`). */
  mempoolCache: 10_000,
  /** Pool transactions rechecked per turn of the event loop. */
  mempoolRecheckStep: 512,
} as const;
