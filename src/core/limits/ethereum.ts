/** Limits of single methods of the Ethereum face: the same in every node of this program, as in geth. */
export const ETHEREUM_LIMITS = {
  /** Blocks of one `eth_simulateV1`, and the distance of the last from the state that it stands on (geth). */
  simulatedBlocks: 256,
  /** Calls of one block of an `eth_simulateV1` (geth). */
  simulatedCallsOfBlock: 5_000,
  /** Calls of all blocks of an `eth_simulateV1` (geth). */
  simulatedCalls: 10_000,
  /** Transactions of one `eth_callBundle`, whose signers are recovered on the main thread: about 50 ms. */
  bundleTransactions: 256,
  /** Accounts of the head that were requested and are kept until the next block. */
  headAccounts: 1_024,
  /** Heights before the head for which `eth_getProof` answers (geth keeps as many states). */
  proofHeights: 128n,
  /** Transactions of one subscription to receipts (geth). */
  ethReceiptHashes: 200,
  /** Bytes of the struct logs that the main thread reads for the `vmTrace` of one request: about 60 ms. */
  vmTraceBytes: 8 * 1024 * 1024,
} as const;
