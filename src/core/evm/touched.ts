/** Addresses touched by the inner call frames of one Ethereum transaction of a block. */
export interface Touched {
  /** Index among all transactions of the block. */
  readonly index: number;
  /**
   * Each address (20 bytes) once, in the order of first touch: called, created, or beneficiary of SELFDESTRUCT.
   * Reverted frames count.
   */
  readonly addresses: readonly Uint8Array[];
}
