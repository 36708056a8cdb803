/** A byte budget for one purpose. */
export class ByteBudget {
  #used = 0;

  constructor(private readonly maximum: number) {}

  get used(): number {
    return this.#used;
  }

  /** Takes bytes from the budget; false, without taking any, if there is no room. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maximum) return false;
    this.#used += bytes;
    return true;
  }

  /** Returns bytes that were taken. */
  give(bytes: number): void {
    this.#used -= bytes;
  }
}
