/** Limits of gRPC; part of `DEFAULT_LIMITS`. */
export const GRPC_LIMITS = {
  /** Encoded request of a gRPC call, bytes. */
  grpcRequestBytes: 4 * 1024 * 1024,
  /** Encoded answer of a gRPC call, bytes. */
  grpcAnswerBytes: 16 * 1024 * 1024,
  /** Calls of one gRPC connection at a time. */
  grpcStreams: 100,
  /** Calls that a gRPC client may reset on one connection, besides half of all its calls; then the connection ends. */
  grpcResets: 100,
  /** Calls of all gRPC connections that begin between two turns of the event loop: each takes about 0.3 ms. */
  grpcCallsPerTurn: 16,
  /** Longest silence of a gRPC client with an unfinished request, milliseconds; then it is cut. */
  grpcSilenceMs: 12_000,
  /** Longest time of a gRPC connection without calls, milliseconds. */
  grpcIdleMs: 300_000,
  /** Longest time of a frame of a gRPC client on its way, the first one and all of a call's head, milliseconds. */
  grpcFrameMs: 12_000,
  /** Interval of pings on a gRPC connection, milliseconds; it is cut without an answer in `grpcPingTimeoutMs`. */
  grpcPingMs: 30_000,
  /** Longest time until the answer to a ping, milliseconds. */
  grpcPingTimeoutMs: 20_000,
  /** Characters of an error's text in a gRPC trailer, which clients accept only short. */
  grpcErrorText: 2_048,
} as const;
