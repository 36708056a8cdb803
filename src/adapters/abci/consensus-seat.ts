/** The connection that took the seat meanwhile is closed. */
export class SeatLeft extends Error {
  override readonly name = 'SeatLeft';
}

/**
 * One engine drives the application: one connection at a time has the seat, from its first consensus request until it
 * closes. A call that the engine before left behind ends before the next one begins.
 */
export class ConsensusSeat {
  #holder: object | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** True when the connection has the seat now. */
  take(connection: object): boolean {
    this.#holder ??= connection;
    return this.#holder === connection;
  }

  leave(connection: object): void {
    if (this.#holder === connection) this.#holder = undefined;
  }

  /** Calls after all earlier calls have ended. Rejects with SeatLeft when the connection closed while it waited. */
  run<Result>(connection: object, call: () => Promise<Result>): Promise<Result> {
    const running = this.#last.then(() => {
      if (this.#holder !== connection) throw new SeatLeft();
      return call();
    });
    this.#last = running.catch(() => undefined);
    return running;
  }
}
