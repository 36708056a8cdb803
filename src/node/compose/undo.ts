/** Started parts, which are stopped in the opposite order. */
export class Undo {
  readonly #steps: (() => Promise<void> | void)[] = [];

  push(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** The last one first, each one whatever happens to another; throws the first failure when all have run. */
  async all(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    // The database was closed and the lock released all the same.
    if (failures.length > 0) throw failures[0];
  }
}
