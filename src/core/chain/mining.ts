/**
 * When blocks are made. `instant`: at once when a transaction waits, and a heartbeat block after `heartbeatMs` without
 * a block (`--mining mixed` is `instant` with the block time as heartbeat). `interval`: every `intervalMs`, or after a
 * time drawn between it and `longestMs`. `manual`: on request only. Milliseconds count from the last decision or
 * preparation.
 */
export type Mining =
  | { readonly kind: 'instant'; readonly heartbeatMs: number | undefined }
  | {
      readonly kind: 'interval';
      readonly intervalMs: number;
      readonly longestMs?: number;
      /** Blocks without transactions come after this time, or not at all; absent: at each interval. */
      readonly empty?: { readonly afterMs: number | undefined };
    }
  | { readonly kind: 'manual' };
