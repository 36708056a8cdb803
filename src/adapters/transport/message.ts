/** A websocket message, which takes memory budget until it is released. */
export interface Message {
  /** Length in UTF-8. */
  readonly bytes: number;
  /**
   * The text; binary messages are also decoded as UTF-8, as geth and CometBFT do. Decodes a long message at each
   * call.
   */
  text(): string;
  /**
   * Releases the budget, when the message is answered or its answer is no longer needed; do not call `text`
   * afterwards.
   */
  release(): void;
}
