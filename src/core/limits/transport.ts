/** Limits of single steps and texts of the transport; part of `FIXED_LIMITS`. */
export const TRANSPORT_LIMITS = {
  /** Requests or websocket messages that an API server handles per turn of the event loop. */
  requestsPerTurn: 16,
  /** Time limit of that handling per turn, milliseconds; the rest waits for the next turn. */
  requestsPerTurnMs: 1,
  /** Websocket messages that an API server handles on arrival before it yields to the event loop. */
  messagesAtOnce: 128,
  /** Pieces of request bodies (up to 512 KiB each) read between two turns of the event loop. */
  readsPerTurn: 4,
  /** Waiting messages of one websocket; above it the connection is closed. */
  webSocketWaitingMessages: 16_384,
  /** Minimum size at which a websocket message is counted, bytes: the node's overhead per message. */
  heldMessageBytes: 256,
  /** Bytes of messages per websocket that are not counted towards `pendingMessageBytes`. */
  socketFreeBytes: 4_096,
  /** Bytes of a refused body that are read and discarded, so that the client reads the answer. */
  refusedBodyBytes: 32 * 1024 * 1024,
  /** Request line and headers, bytes; the 4 KiB of uWebSockets.js are too few for a transaction in a URI call. */
  headerBytes: 16 * 1024,
  /** Time for headers and body of a request to arrive, milliseconds; the same as in uWebSockets.js. */
  requestMs: 12_000,
  /** Time without progress after which a client that does not read its answer is cut, milliseconds. */
  writeMs: 30_000,
  /** Bytes of a streamed answer produced before sending starts; a shorter one is sent as a whole. */
  shortStreamBytes: 1024 * 1024,
  /** Bytes per piece of a streamed answer. */
  streamChunkBytes: 256 * 1024,
  /** Bytes of a streamed answer passed to uWebSockets.js last; see `src/adapters/transport/uws-stream.ts`. */
  streamKeptBytes: 64 * 1024,
  /** Client addresses tracked for rate limiting; further ones are refused until the next second. */
  rateAddresses: 10_000,
  /** Time between two pings on a websocket, milliseconds. */
  webSocketPingMs: 27_000,
  /** Time without a pong before a websocket is cut, seconds. */
  webSocketIdleSeconds: 32,
  /** Characters of the id of a request, which its answer repeats. */
  idCharacters: 1_024,
  /** Bytes at the beginning and end of an unparsed message that are searched for its id. */
  idSearchBytes: 2_048,
  /** Characters of a method name, as in geth. */
  methodCharacters: 2_048,
  /** Characters of a hash that is parsed or that a refusal repeats. */
  shownHashCharacters: 1_024,
  /** Characters of refused arguments that an error of the consensus RPC repeats. */
  shownArguments: 1_000,
  /** Texts in each cache of the transport. */
  cachedTexts: 1_024,
  /** Characters of a cached text. */
  cachedTextCharacters: 64,
} as const;
