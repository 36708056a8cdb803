/** A subscriber that outlives its node: it returns with its last cursor and must see every event once, in order. */
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

  /** `item` finds what identifies an event in the text of its notification. */
  constructor(query: string, item: RegExp) {
    this.#query = query;
    this.#item = item;
  }

  /** Subscribes at a node after the last cursor; drops a subscription at a node that died. */
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
   * Every item since the beginning, once `last` is among them; rejects with a TypeError, as fetch does, when the node
   * dies before.
   */
  async through(last: string): Promise<readonly string[]> {
    while (!this.#seen.includes(last)) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#socket === undefined) throw new TypeError('terminated');
      await this.told();
    }
    return this.#seen;
  }

  /** Resolves with the next notification, or when the connection ends; one waits at a time. */
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
