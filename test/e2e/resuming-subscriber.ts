/**
 * A subscriber that survives restarts of its node: it resumes at its last cursor and must see every event once, in
 * order.
 */
import WebSocket from 'ws';

/** Before the first event: replays from the beginning of the log. */
const BEGINNING = '0';

export class ResumingSubscriber {
  readonly #query: string;
  readonly #item: RegExp;
  readonly #seen: string[] = [];
  #cursor = BEGINNING;
  #socket: WebSocket | undefined;
  #failure: Error | undefined;
  #changed: () => void = () => undefined;

  /** `item` extracts the identity of an event from the text of its notification. */
  constructor(query: string, item: RegExp) {
    this.#query = query;
    this.#item = item;
  }

  /** Subscribes to a node after the last cursor; drops the subscription of a dead node. */
  connect(comet: string): void {
    this.close();
    const socket = new WebSocket(`${comet.replace('http', 'ws')}/websocket`);
    this.#socket = socket;
    socket.on('open', () => {
      socket.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscribe',
          params: { query: this.#query, cursor: this.#cursor },
        }),
      );
    });
    socket.on('message', (data: Buffer) => {
      if (socket !== this.#socket) return;
      const text = data.toString();
      const cursor = /"cursor":"([\d.]+)"\}\}$/.exec(text)?.[1];
      const item = this.#item.exec(text)?.[1];
      if (cursor !== undefined && item !== undefined) {
        this.#cursor = cursor;
        this.#seen.push(item);
      } else if (!text.includes('"result":{}')) {
        this.#failure = new Error(`${this.#query} resumed from ${this.#cursor}: ${text.slice(0, 500)}`);
      }
      this.#changed();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket === this.#socket) this.#socket = undefined;
      this.#changed();
    });
  }

  /**
   * Every item since the beginning, as soon as `last` is among them. Rejects with a TypeError, like fetch, if the
   * node dies first.
   */
  async through(last: string): Promise<readonly string[]> {
    while (!this.#seen.includes(last)) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#socket === undefined) throw new TypeError('terminated');
      await this.told();
    }
    return this.#seen;
  }

  /** Resolves with the next notification or at the end of the connection. Only one caller may wait. */
  told(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }

  close(): void {
    this.#socket?.terminate();
    this.#socket = undefined;
  }
}
