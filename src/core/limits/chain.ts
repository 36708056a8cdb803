/** Rules of the chain: results of blocks depend on them, so that every node has the same. */
export const CHAIN_LIMITS = {
  /**
   * Bytes of the transaction around an Ethereum one, without the raw transaction: more than type names, sender and the
   * highest fee in the longest denomination need.
   */
  wrapperBytes: 1_024,
  /** Nesting of messages in a transaction, those in an `Any` included; the decoders of the SDK end there, too. */
  messageDepth: 100,
  /** Keys inside of each other, a threshold key counted (cosmos-sdk v0.53 `codec/types` MaxUnpackAnyRecursionDepth). */
  keyDepth: 10,
  /** Keys of one signer, thresholds counted (cosmos-sdk v0.53 `codec/types` MaxUnpackAnySubCalls). */
  keysOfSigner: 100,
  /** Level at which executions of authz are refused (cosmos/evm `ante/cosmos/authz.go` maxNestedMsgs). */
  nestedExecutions: 7,
  /** Nanoseconds from a block to the timeout of an unordered transaction in it. */
  unorderedWait: 600_000_000_000n,
  /** Ended fee allowances that a block deletes (cosmossdk.io/x/feegrant v0.2.0). */
  feegrantsPrunedByBlock: 200,
  /** Ended fee allowances that a message deletes. */
  feegrantsPrunedByMessage: 75,
  /** Records of claims that a block ends after the airdrop; each may move coins. */
  claimsRecordsEndedByBlock: 500,
  /** Coins of an account that one transfer recovers; each is a packet. */
  coinsRecovered: 100,
  /** Periods of each schedule of an account with clawback: every spend goes through them. */
  clawbackPeriods: 1_000,
  /** Participants of an incentive that are paid at the end of an epoch: all are paid in one block. */
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
