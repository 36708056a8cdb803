/** Limits of the relayer of `dev --ibc`; part of `DEV_COMMAND_LIMITS`. */
export const RELAYER_LIMITS = {
  /** Clients, connections or channels of a chain that the relayer examines. */
  relayedEnds: 100n,
  /** Pending packets of one channel read per round. */
  relayedPackets: 200n,
  /** Messages of one transaction of the relayer: their gas fits in a block of a dev chain. */
  relayedMessages: 100,
  /** Polling interval of the chains' heights, milliseconds. */
  relayerPauseMs: 200,
  /** Pause after an error, milliseconds. */
  relayerRetryMs: 1_000,
  /** Timeout of one call to a chain, milliseconds. */
  relayerCallMs: 10_000,
  /** Polls for the block of a transaction before the round starts over. */
  relayerPolls: 150,
  /** How long a start waits for the channel, milliseconds; afterwards the relayer continues in the background. */
  relayerOpenMs: 60_000,
  /** How far a reverted chain may be behind its clients for the relayer to wait for it, milliseconds. */
  relayerBehindMs: 5_000,
  /** Blocks requested per call when a chain was reverted below the height its client knows. */
  relayerBlocks: 256n,
  /** Longest retry delay of a message that failed on its own, blocks. */
  relayerWaitBlocks: 1_024n,
  /** Remembered messages that failed on their own. */
  relayerPostponed: 256,
  /** Packets of one chain held, dropped or reordered by commands, together. */
  relayerControls: 1_000,
  /** Days by which a command may advance the other chain's clock; below what clients accept as future headers. */
  relayerTimeoutDays: 1_000n,
} as const;
