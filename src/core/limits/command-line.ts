/** Limits of the command line; part of `FIXED_LIMITS`. */
export const COMMAND_LINE_LIMITS = {
  /** Timeout of consensus RPC calls, milliseconds. */
  cliRequestMs: 30_000,
  /** Timeout of Ethereum RPC calls, milliseconds. */
  cliEthereumMs: 60_000,
  /** Blocks per call of `dev mine`, so that each answer comes in time and a signal stops the rest. */
  cliMinedBlocks: 250,
  /** Denominations listed by a command, and checked for existence. */
  listedDenoms: 10,
  /** Keys of a multisig key created by the command line. */
  thresholdKeys: 64,
  /** Characters of one line of a recorded chain, and bytes of its genesis (`debug compare-chain`). */
  recordingLineBytes: 512 * 1024 * 1024,
} as const;
