/** The connection closed before its call could begin. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/**
 * Makes sure that only one engine drives the application. One connection at a time holds the seat, from its first
 * consensus request until it closes. A call of a closed connection finishes before the next call begins.
 */
export class ConsensusSeat {
  #holder: object | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Takes the seat if it is free; true if the connection holds it. */
  take(connection: object): boolean {
    this.#holder ??= connection;
    return this.#holder === connection;
  }

  leave(connection: object): void {
    if (this.#holder === connection) this.#holder = undefined;
  }

  /** Runs `call` after all earlier calls. Rejects with ConnectionClosed if the connection closed while waiting. */
  run<Result>(connection: object, call: () => Promise<Result>): Promise<Result> {
    const running = this.#last.then(() => {
      if (this.#holder !== connection) throw new ConnectionClosed();
      return call();
    });
    this.#last = running.catch(() => undefined);
    return running;
  }
}
