/** A stack of steps that stop started parts in reverse order. */
export class Undo {
  readonly #steps: (() => Promise<void> | void)[] = [];

  push(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Runs all steps, the last one first, also after failures; then throws the first failure. */
  async all(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    // All steps have run, so the database is closed and the lock released.
    if (failures.length > 0) throw failures[0];
  }
}
