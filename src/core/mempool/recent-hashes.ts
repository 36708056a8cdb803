/** A cache of the newest hashes, bounded by `maximum`; the oldest is evicted first. */
export class RecentHashes {
  readonly #maximum: number;
  readonly #hashes = new Set<string>();

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }

  add(hash: string): void {
    this.#hashes.delete(hash);
    this.#hashes.add(hash);
    const oldest = this.#hashes.keys().next();
    if (this.#hashes.size > this.#maximum && oldest.done !== true) this.#hashes.delete(oldest.value);
  }

  clear(): void {
    this.#hashes.clear();
  }
}
