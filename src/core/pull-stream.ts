/** Items that are made while their reader takes them. The reader takes all of them or calls `end`. */
export interface PullStream<Item> {
  /** The next item, or undefined after the last one; one call at a time. Rejects when the rest cannot be made. */
  next(): Promise<Item | undefined>;
  /** The reader takes no more items: no more are made. Without effect after the last one. */
  end(): void;
}
