import type { MerkleTrie } from './merkle-trie.js';

/** LRU cache of tries by name, bounded by their total bytes. */
export class KeptTries {
  readonly #maximum: number;
  /** Ordered by last use. */
  readonly #tries = new Map<string, { readonly trie: MerkleTrie; readonly bytes: number }>();
  #bytes = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Approximate total bytes. */
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

  /** Stores a trie under a name, replacing an earlier one; does not keep a trie larger than the whole cache. */
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
