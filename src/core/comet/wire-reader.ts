const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes hold something that a written-out reader leaves to the codec by descriptors: not a failure. */
export class UnusualBytes extends Error {
  override readonly name = 'UnusualBytes';
}

/** Reads protobuf fields of one message and, between `enter` and `leave`, of the messages in it. */
export class WireReader {
  at = 0;
  /** End of the message that is being read. */
  end: number;
  readonly #source: Uint8Array;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.end = source.length;
  }

  byte(): number {
    if (this.at >= this.end) throw new UnusualBytes();
    const value = this.#source[this.at] ?? 0;
    this.at += 1;
    return value;
  }

  /** A varint up to 2^49: lengths, codes, gas. */
  number(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 42; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new UnusualBytes();
  }

  /** A view. */
  bytes(): Uint8Array {
    const start = this.#take();
    return this.#source.subarray(start, this.at);
  }

  text(): string {
    const start = this.#take();
    try {
      return decoder.decode(this.#source.subarray(start, this.at));
    } catch {
      throw new UnusualBytes();
    }
  }

  /** Begins the nested message that follows; answers what `leave` needs. */
  enter(): number {
    const length = this.number();
    const outer = this.end;
    if (this.at + length > outer) throw new UnusualBytes();
    this.end = this.at + length;
    return outer;
  }

  leave(outer: number): void {
    this.end = outer;
  }

  /** Passes a length and what it measures; answers where that begins. */
  #take(): number {
    const length = this.number();
    const start = this.at;
    if (start + length > this.end) throw new UnusualBytes();
    this.at = start + length;
    return start;
  }
}
