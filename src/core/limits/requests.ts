/** Limits of requests, connections and sockets of all APIs; part of `DEFAULT_LIMITS`. */
export const REQUEST_LIMITS = {
  /** Size limit of a JSON-RPC body and of a websocket message, bytes. */
  httpBodyBytes: 5 * 1024 * 1024,
  /** Nesting of arrays and objects in a request. */
  jsonDepth: 32,
  /**
   * Objects, arrays and object members in a request, counted before parsing, because a member with a new name costs a
   * microsecond. A batch of 1,000 calls has 15,000.
   */
  jsonParts: 25_000,
  /** Commas in a JSON request; they count the numbers in arrays. */
  jsonValues: 200_000,
  /** White space in a JSON request, bytes: 20 for each of `jsonParts`. */
  jsonSpaceBytes: 512 * 1024,
  /** Calls in one batch. cosmjs sends batches of 20, and hangs when a batch is refused. */
  batchRequests: 100,
  /** Open connections of one API server. */
  connections: 20_000,
  /** Open websockets per client address and API server; loopback is exempt. */
  webSocketsPerAddress: 64,
  /** Average requests and websocket messages per second, per client address and API server; loopback is exempt. */
  requestsPerSecond: 2_000,
  /** Burst of requests and websocket messages per client address and API server. */
  requestBurst: 4_000,
  /**
   * From this size on, bytes, request bodies and websocket messages are handled one per turn of the event loop, for the
   * whole node.
   */
  largeRequestBytes: 64 * 1024,
  /** From this size on, bytes, an answer is sent in pieces at its client's pace, which costs a tenth more work. */
  largeAnswerBytes: 8 * 1024 * 1024,
  /** Total bytes of large answers held by one API server. */
  pendingAnswerBytes: 128 * 1024 * 1024,
  /** Total bytes of request bodies held by one API server. */
  pendingBodyBytes: 128 * 1024 * 1024,
  /**
   * Total bytes of unanswered large websocket messages held by the node, and likewise of small ones. Messages still
   * being received are not counted: uWebSockets.js buffers up to twice the largest message per websocket.
   */
  pendingMessageBytes: 64 * 1024 * 1024,
  /** Bytes of unanswered messages of one websocket. */
  socketMessageBytes: 16 * 1024 * 1024,
  /** Bytes buffered per socket at which delivery pauses. */
  socketPauseBytes: 64 * 1024,
  /** Bytes buffered per socket at which the client is cut off as too slow. */
  socketCutoffBytes: 256 * 1024,
  /** Longest time without progress of a socket with buffered bytes, milliseconds; then the client is cut off. */
  socketStallMs: 10_000,
} as const;
