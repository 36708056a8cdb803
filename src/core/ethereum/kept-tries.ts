import type { MerkleTrie } from './merkle-trie.js';

/** Tries by name, up to so many bytes of memory in all: those that were not used for longest go. */
export class KeptTries {
  readonly #maximum: number;
  /** In the order of their last use. */
  readonly #tries = new Map<string, { readonly trie: MerkleTrie; readonly bytes: number }>();
  #bytes = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Bytes of all of them, about. */
  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): MerkleTrie | undefined {
    const found = this.#tries.get(name);
    if (found === undefined) return undefined;
    this.#tries.delete(name);
    this.#tries.set(name, found);
    return found.trie;
  }

  /** Keeps a trie as it is now, in the place of one of this name; one that is larger than all may be is not kept. */
  put(name: string, trie: MerkleTrie): void {
    this.delete(name);
    const { bytes } = trie;
    if (bytes > this.#maximum) return;
    this.#tries.set(name, { trie, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#tries.keys()) {
      if (this.#bytes <= this.#maximum) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#tries.get(name)?.bytes ?? 0;
    this.#tries.delete(name);
  }
}
