/**
 * When blocks are made. `instant`: when a transaction waits, or a heartbeat block after `heartbeatMs` (`--mining
 * mixed` is `instant` with the block time as heartbeat). `interval`: every `intervalMs`, or after a random time up to
 * `longestMs`. `manual`: only on request. Milliseconds count from the last decision or preparation.
 */
export type Mining =
  | { readonly kind: 'instant'; readonly heartbeatMs: number | undefined }
  | {
      readonly kind: 'interval';
      readonly intervalMs: number;
      readonly longestMs?: number;
      /** Delay of empty blocks; undefined `afterMs`: never. Absent: an empty block at each interval. */
      readonly empty?: { readonly afterMs: number | undefined };
    }
  | { readonly kind: 'manual' };
