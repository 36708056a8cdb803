/** Limits of what one transaction holds; part of `DEFAULT_LIMITS`. */
export const TRANSACTION_LIMITS = {
  /** Bytes of one transaction. */
  txBytes: 1024 * 1024,
  /**
   * Fields of an encoded request, or of a transaction that is sent, simulated or decoded, with the fields of nested
   * messages: a field can be two bytes long. Blocks may hold transactions with more, because every node must execute a
   * decided block.
   */
  messageParts: 50_000,
  /**
   * Messages in a transaction that is sent or simulated, those within messages included: each costs about
   * 7 us before a fee is taken. Blocks may hold transactions with more.
   */
  txMessages: 1_000,
  /**
   * Signatures of validators under the headers of other chains in a transaction that is sent or simulated: each costs
   * about 85 us before a fee is taken. Chains have up to 200 validators, and misbehaviour has two headers. Blocks may
   * hold transactions with more.
   */
  commitSignatures: 400,
} as const;
