/** Items produced on demand. The reader takes all of them or calls `end`. */
export interface PullStream<Item> {
  /**
   * Returns the next item, or undefined after the last; one call at a time. Rejects when the rest cannot be produced.
   */
  next(): Promise<Item | undefined>;
  /** Stops production; no effect after the last item. */
  end(): void;
}
