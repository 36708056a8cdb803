const encoder = new TextEncoder();

/**
 * Writes protobuf from its end to its beginning, as gogoproto's marshallers do: the length of a nested message is known
 * when its turn comes, so nothing is measured or moved. Fields are written in descending order.
 */
export class BackwardWriter {
  #bytes = new Uint8Array(4_096);
  #at = this.#bytes.length;

  /** Bytes written so far: their difference is the length of what was written in between. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Begins anew in the same memory. */
  reset(): this {
    this.#at = this.#bytes.length;
    return this;
  }

  /** What was written since `reset`, as a copy. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#at);
  }

  /** One byte: a tag below 16, a boolean. */
  byte(value: number): void {
    this.#reserve(1);
    this.#at -= 1;
    this.#bytes[this.#at] = value;
  }

  /** A varint; a negative one as the 64 bits of its two's complement. */
  varint(value: number | bigint): void {
    if (typeof value === 'bigint') {
      if (value < 0n || value > 0x7fff_ffffn) {
        this.#longVarint(BigInt.asUintN(64, value));
        return;
      }
      this.varint(Number(value));
      return;
    }
    let size = 1;
    for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) size += 1;
    this.#reserve(size);
    this.#at -= size;
    let rest = value;
    for (let place = this.#at; place < this.#at + size - 1; place += 1) {
      this.#bytes[place] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at + size - 1] = rest;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#bytes.set(bytes, this.#at);
  }

  /** UTF-8. Nearly every text of an event is ASCII, for which a loop beats a call of the encoder. */
  text(value: string): void {
    const { length } = value;
    this.#reserve(length);
    const start = this.#at - length;
    for (let index = 0; index < length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) {
        this.raw(encoder.encode(value));
        return;
      }
      this.#bytes[start + index] = unit;
    }
    this.#at = start;
  }

  #longVarint(value: bigint): void {
    const groups: number[] = [];
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.raw(Uint8Array.from(groups));
  }

  #reserve(more: number): void {
    if (more <= this.#at) return;
    const { length } = this;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, length + more));
    grown.set(this.#bytes.subarray(this.#at), grown.length - length);
    this.#bytes = grown;
    this.#at = grown.length - length;
  }
}
