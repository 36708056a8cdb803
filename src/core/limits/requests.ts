/** Limits of requests, connections and sockets of all faces; part of `DEFAULT_LIMITS`. */
export const REQUEST_LIMITS = {
  /** Size limit of a JSON-RPC body and of a websocket message, bytes. */
  httpBodyBytes: 5 * 1024 * 1024,
  /** Nesting of arrays and objects in a request. */
  jsonDepth: 32,
  /**
   * Objects, arrays and members of objects in a request, counted before parsing: a member with a new name costs a
   * microsecond. A batch of 1,000 calls has 15,000.
   */
  jsonParts: 25_000,
  /** Commas between the values of a request in JSON: a number in an array has no other mark. */
  jsonValues: 200_000,
  /** White space between the values of a request in JSON, bytes: 20 for each of `jsonParts`. */
  jsonSpaceBytes: 512 * 1024,
  /** Calls in one batch. cosmjs batches 20 requests, and waits for ever when a batch is refused. */
  batchRequests: 100,
  /** Open connections of one face. */
  connections: 20_000,
  /** Open websockets of one address on one face; loopback is exempt. */
  webSocketsPerAddress: 64,
  /** Requests and websocket messages of one address on one face per second in the long run; loopback is exempt. */
  requestsPerSecond: 2_000,
  /** Requests and websocket messages of one address on one face at once. */
  requestBurst: 4_000,
  /**
   * Bytes from which the body of a request, or a message of a websocket, waits for its turn: of all such requests of
   * the node, one is handled in each turn of the event loop.
   */
  largeRequestBytes: 64 * 1024,
  /** Bytes from which an answer is sent in pieces, as its client takes them, which is a tenth more work. */
  largeAnswerBytes: 8 * 1024 * 1024,
  /** Bytes of all answers of `largeAnswerBytes` or more that one face holds at a time. */
  pendingAnswerBytes: 128 * 1024 * 1024,
  /** Bytes of all request bodies that one face holds at a time. */
  pendingBodyBytes: 128 * 1024 * 1024,
  /**
   * Bytes of all messages of websockets from `largeRequestBytes` on that the node holds and has not answered, and of
   * all shorter ones. A message that is being received is not among them: uWebSockets.js collects up to twice the
   * largest one for each websocket.
   */
  pendingMessageBytes: 64 * 1024 * 1024,
  /** Bytes of all messages of one websocket that the node holds and has not answered. */
  socketMessageBytes: 16 * 1024 * 1024,
  /** Bytes buffered per socket at which the pump pauses. */
  socketPauseBytes: 64 * 1024,
  /** Bytes buffered per socket at which the client is cut off as too slow. */
  socketCutoffBytes: 256 * 1024,
  /** Longest time that bytes wait while the client takes none, milliseconds; then the client is cut off. */
  socketStallMs: 10_000,
} as const;
