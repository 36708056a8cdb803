/** Limits of gRPC; part of `DEFAULT_LIMITS`. */
export const GRPC_LIMITS = {
  /** Encoded request of a gRPC call, bytes. */
  grpcRequestBytes: 4 * 1024 * 1024,
  /** Encoded answer of a gRPC call, bytes. */
  grpcAnswerBytes: 16 * 1024 * 1024,
  /** Concurrent calls (streams) of one gRPC connection. */
  grpcStreams: 100,
  /** Stream resets allowed per connection, plus half of its calls; above it the connection is closed. */
  grpcResets: 100,
  /** gRPC calls started between two turns of the event loop; each takes about 0.3 ms. */
  grpcCallsPerTurn: 16,
  /** Longest inactivity during an unfinished request, milliseconds; then the connection is closed. */
  grpcSilenceMs: 12_000,
  /** Longest idle time of a gRPC connection, milliseconds. */
  grpcIdleMs: 300_000,
  /** Longest time to receive a frame, the first frame, or all headers of a call, milliseconds. */
  grpcFrameMs: 12_000,
  /** Interval of keep-alive pings, milliseconds. */
  grpcPingMs: 30_000,
  /** Longest time to answer a ping before the connection is closed, milliseconds. */
  grpcPingTimeoutMs: 20_000,
  /** Characters of an error message in a gRPC trailer; clients accept only short ones. */
  grpcErrorText: 2_048,
} as const;
