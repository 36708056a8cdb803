/** Limits of the contents of one transaction; part of `DEFAULT_LIMITS`. */
export const TRANSACTION_LIMITS = {
  /** Bytes of one transaction. */
  txBytes: 1024 * 1024,
  /**
   * Fields of an encoded request, or of a transaction that is sent, simulated or decoded, including nested messages; a
   * field can be as short as two bytes. Blocks may contain larger transactions, because every node must execute a
   * decided block.
   */
  messageParts: 50_000,
  /**
   * Messages, including nested ones, in a transaction that is sent or simulated: each costs about 7 us before a fee is
   * charged. Blocks may contain more.
   */
  txMessages: 1_000,
  /**
   * Validator signatures in light client headers of a transaction that is sent or simulated: each costs about 85 us
   * before a fee is charged. Chains have up to 200 validators, and misbehaviour contains two headers. Blocks may
   * contain more.
   */
  commitSignatures: 400,
} as const;
