/** Consensus rules: block results depend on these limits, so they are the same in every node. */
export const CHAIN_LIMITS = {
  /**
   * Bytes of the Cosmos transaction that wraps an Ethereum one, without the raw transaction; enough for type names,
   * sender, and the highest fee in the longest denomination.
   */
  wrapperBytes: 1_024,
  /** Nesting of messages in a transaction, including those in an `Any`; the limit of the SDK's decoders. */
  messageDepth: 100,
  /** Nesting of multisig keys (cosmos-sdk v0.53 `codec/types` MaxUnpackAnyRecursionDepth). */
  keyDepth: 10,
  /** Keys of one signer, including multisig keys (cosmos-sdk v0.53 `codec/types` MaxUnpackAnySubCalls). */
  keysOfSigner: 100,
  /** Nesting level at which authz executions are refused (cosmos/evm `ante/cosmos/authz.go` maxNestedMsgs). */
  nestedExecutions: 7,
  /** Longest timeout of an unordered transaction after its block, nanoseconds. */
  unorderedWait: 600_000_000_000n,
  /** Expired fee allowances deleted per block (cosmossdk.io/x/feegrant v0.2.0). */
  feegrantsPrunedByBlock: 200,
  /** Expired fee allowances deleted per message. */
  feegrantsPrunedByMessage: 75,
  /** Claims records closed per block after the airdrop; each may move coins. */
  claimsRecordsEndedByBlock: 500,
  /** Denominations recovered by one transfer; each is a packet. */
  coinsRecovered: 100,
  /** Periods per schedule of a clawback account; every spend iterates over them. */
  clawbackPeriods: 1_000,
  /** Participants of an incentive; all are paid in one block at the end of an epoch. */
  participantsOfIncentive: 10_000,
  /** Bytes of code that one development transaction sets: the limit of contracts (EIP-170) with room for test code. */
  devCodeBytes: 128 * 1024,
  /** Storage slots that one development transaction sets. */
  devSlots: 1_000,
  /** Characters of a chain id (CometBFT `types/genesis.go` MaxChainIDLen). */
  chainIdCharacters: 50,
  /** Bytes of a block (CometBFT `types/params.go` MaxBlockSizeBytes). */
  blockBytes: 104_857_600,
} as const;
