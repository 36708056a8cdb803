/** A message of a websocket, for which there is less room for others until it is released. */
export interface Message {
  /** Length in UTF-8. */
  readonly bytes: number;
  /** Binary messages are read as UTF-8, too, as both peers treat them. A long one is decoded by this call. */
  text(): string;
  /** The message was answered, or nobody waits for its answer; `text` must not be called any more. */
  release(): void;
}
