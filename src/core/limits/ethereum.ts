/** Limits of single Ethereum methods, as in geth; the same in every node of this program. */
export const ETHEREUM_LIMITS = {
  /** Blocks of one `eth_simulateV1`, and the distance of the last one from its base state (geth). */
  simulatedBlocks: 256,
  /** Calls of one block of an `eth_simulateV1` (geth). */
  simulatedCallsOfBlock: 5_000,
  /** Calls of all blocks of an `eth_simulateV1` (geth). */
  simulatedCalls: 10_000,
  /** Transactions of one `eth_callBundle`, whose signers are recovered on the main thread: about 50 ms. */
  bundleTransactions: 256,
  /** Requested accounts cached until the next block. */
  headAccounts: 1_024,
  /** Heights before the head that `eth_getProof` supports (geth keeps as many states). */
  proofHeights: 128n,
  /** Transaction hashes of one receipt subscription (geth). */
  ethReceiptHashes: 200,
  /** Struct log bytes read by the main thread for one `vmTrace`: about 60 ms. */
  vmTraceBytes: 8 * 1024 * 1024,
} as const;
