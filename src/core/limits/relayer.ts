/** Limits of the relayer of `dev --ibc`; part of `DEV_COMMAND_LIMITS`. */
export const RELAYER_LIMITS = {
  /** Clients, connections or channels of a chain that the relayer looks at. */
  relayedEnds: 100n,
  /** Packets of one channel that wait, as one round reads them. */
  relayedPackets: 200n,
  /** Messages of one transaction of the relayer: their gas fits in a block of a dev chain. */
  relayedMessages: 100,
  /** Pause between two looks at the heights of the chains, milliseconds. */
  relayerPauseMs: 200,
  /** Pause after an error, milliseconds. */
  relayerRetryMs: 1_000,
  /** Longest time for one answer of a chain, milliseconds. */
  relayerCallMs: 10_000,
  /** Looks for the block of a transaction, a pause apart, before the round begins anew. */
  relayerLooks: 150,
  /** Longest time that a start waits for the channel, milliseconds; the relayer goes on with it later. */
  relayerOpenMs: 60_000,
  /** Time by which a chain that was reverted may be behind its clients, so that it is waited for, milliseconds. */
  relayerBehindMs: 5_000,
  /** Blocks that the relayer asks for in one call, where a chain was reverted below what its client knows. */
  relayerBlocks: 256n,
  /** Blocks after which a message that failed alone is tried again, at the most. */
  relayerWaitBlocks: 1_024n,
  /** Messages that failed on their own and that the relayer remembers. */
  relayerPostponed: 256,
  /** Packets of one chain that commands hold, drop and order, together. */
  relayerControls: 1_000,
  /** Days by which a command moves the clock of the other chain: less than clients take headers of the future. */
  relayerTimeoutDays: 1_000n,
} as const;
