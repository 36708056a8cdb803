/** Limits of single steps and texts of the transport; part of `FIXED_LIMITS`. */
export const TRANSPORT_LIMITS = {
  /** Requests, or messages of websockets, that a face handles in one turn of the event loop before it answers them. */
  requestsPerTurn: 16,
  /** Time in which it handles them, milliseconds; those that are left have the next turn. */
  requestsPerTurnMs: 1,
  /** Messages of websockets that a face handles as they come, before it gives the event loop a turn. */
  messagesAtOnce: 128,
  /** Pieces of unfinished request bodies, up to 512 KiB each, that a face takes between two turns of the event loop. */
  readsPerTurn: 4,
  /** Messages of one websocket that wait for their turn; beyond it the connection ends. */
  webSocketWaitingMessages: 16_384,
  /** Bytes that a message of a websocket counts at the least: what the node needs besides its text. */
  heldMessageBytes: 256,
  /** Bytes of messages that one websocket may hold without room among those of all (`pendingMessageBytes`). */
  socketFreeBytes: 4_096,
  /** Bytes of a refused body that are read and thrown away, so that its client reads the answer. */
  refusedBodyBytes: 32 * 1024 * 1024,
  /** Request line with headers, bytes; the 4 KiB of uWebSockets.js are too few for a transaction in a URI call. */
  headerBytes: 16 * 1024,
  /** Time for headers and body of a request to arrive, milliseconds; the same as in uWebSockets.js. */
  requestMs: 12_000,
  /** Time without progress after which a client that does not read its answer is cut, milliseconds. */
  writeMs: 30_000,
  /** Bytes of a streamed answer that are made before it is sent; a shorter one is sent whole. */
  shortStreamBytes: 1024 * 1024,
  /** Bytes of a streamed answer that the transport takes at a time. */
  streamChunkBytes: 256 * 1024,
  /** Bytes of a streamed answer that uWebSockets.js gets last: see `src/adapters/transport/uws-stream.ts`. */
  streamKeptBytes: 64 * 1024,
  /** Addresses whose rate of requests is counted; beyond it new ones are refused until the next second. */
  rateAddresses: 10_000,
  /** Time between two pings on a websocket, milliseconds. */
  webSocketPingMs: 27_000,
  /** Time without a pong before a websocket is cut, seconds. */
  webSocketIdleSeconds: 32,
  /** Characters of the id of a request, which its answer repeats. */
  idCharacters: 1_024,
  /** Bytes at the beginning and at the end of a message in which its id is looked for without parsing it. */
  idLookedForBytes: 2_048,
  /** Characters of a method name, as in geth. */
  methodCharacters: 2_048,
  /** Characters of a hash that is parsed or that a refusal repeats. */
  shownHashCharacters: 1_024,
  /** Characters of refused arguments that an error of the consensus RPC repeats. */
  shownArguments: 1_000,
  /** Texts in each cache of the transport. */
  cachedTexts: 1_024,
  /** Characters of a text in it. */
  cachedTextCharacters: 64,
} as const;
