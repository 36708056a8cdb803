/** The addresses that the Ethereum transaction at an index of a block touched in the frames inside of it. */
export interface Touched {
  /** Index of the transaction among all of its block. */
  readonly index: number;
  /**
   * Each address once, in the order of the first touches: called, created, or paid by a contract that destroyed itself;
   * 20 bytes each. Frames that reverted count.
   */
  readonly addresses: readonly Uint8Array[];
}
