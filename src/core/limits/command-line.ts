/** Limits of the command line; part of `FIXED_LIMITS`. */
export const COMMAND_LINE_LIMITS = {
  /** Time that the command line waits for an answer of the consensus RPC, milliseconds. */
  cliRequestMs: 30_000,
  /** Time that the command line waits for an answer of the Ethereum face, milliseconds. */
  cliEthereumMs: 60_000,
  /** Blocks that `dev mine` asks for in one call, so that an answer comes in time and a signal ends the rest. */
  cliMinedBlocks: 250,
  /** Denominations that a command names, and of which it asks whether there are any. */
  toldDenoms: 10,
  /** Keys of one threshold key that the command line makes. */
  thresholdKeys: 64,
  /** Characters of one line of a recorded chain, and bytes of its genesis (`debug compare-chain`). */
  recordingLineBytes: 512 * 1024 * 1024,
} as const;
