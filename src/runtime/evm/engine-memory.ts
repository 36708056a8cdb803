import { readU256, writeU256 } from '../../core/evm/flat-bytes.js';

/** Access to the engine's memory. Views are recreated after growth, which detaches the old buffer. */
export class EngineMemory {
  readonly #memory: WebAssembly.Memory;
  #bytes = new Uint8Array(0);
  #view = new DataView(new ArrayBuffer(0));

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Returns a view that is valid until the engine runs again. */
  lend(at: number, length: number): Uint8Array {
    return this.#current().subarray(at, at + length);
  }

  copy(at: number, length: number): Uint8Array {
    return this.#current().slice(at, at + length);
  }

  put(at: number, bytes: Uint8Array): void {
    this.#current().set(bytes, at);
  }

  u8(at: number): number {
    return this.#current()[at] ?? 0;
  }

  u64(at: number): bigint {
    return this.view().getBigUint64(at, true);
  }

  u256(at: number): bigint {
    return readU256(this.view(), at);
  }

  putU256(at: number, value: bigint): void {
    writeU256(this.view(), at, value);
  }

  view(): DataView {
    this.#current();
    return this.#view;
  }

  #current(): Uint8Array {
    const { buffer } = this.#memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = new Uint8Array(buffer);
      this.#view = new DataView(buffer);
    }
    return this.#bytes;
  }
}
