/** Bytes of all that is held for one purpose at one time. */
export class ByteBudget {
  #used = 0;

  constructor(private readonly maximum: number) {}

  get used(): number {
    return this.#used;
  }

  /** False, and nothing is taken, when there is no room for so many bytes. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maximum) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}
