import type { SystemClocks } from '../../src/runtime/host/time.js';

const NS_PER_MS = 1_000_000n;

/** Clocks of a system that a test sets. */
export class Clocks implements SystemClocks {
  wall = 1_700_000_000_000;
  monotonic = 5_000n * NS_PER_MS;
  readonly wallMs = (): number => this.wall;
  readonly monotonicNs = (): bigint => this.monotonic;

  /** Milliseconds pass on both. */
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.monotonic += BigInt(milliseconds) * NS_PER_MS;
  }
}
