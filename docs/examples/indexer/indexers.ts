/** Two indexers of the blocks of a chain: they subscribe to `newHeads` and connect again when their connection ends. */
import { ethereumKey, type Indexer } from 'chronicled/testing';
import { WebSocket } from 'ws';

const RECONNECT_MS = 10;

abstract class BlockIndexer implements Indexer {
  readonly #seen: string[] = [];
  #socket: WebSocket | undefined;
  #isStopped = true;

  constructor(private readonly url: string) {}

  /** Subscribes on a connection that is open; `call` sends a request and resolves with its result. */
  protected abstract subscribe(call: (method: string, ...params: unknown[]) => Promise<unknown>): Promise<unknown>;
  /** A block was seen. `cursor`: where to go on behind it, on a subscription that asked for cursors. */
  protected abstract saw(cursor: string | undefined): void;

  start(): Promise<void> {
    this.#isStopped = false;
    return new Promise((resolve) => this.#connect(resolve));
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.terminate();
  }

  seen(): readonly string[] {
    return this.#seen;
  }

  /** Connects, and again whenever the connection ends; tells when it is subscribed. */
  #connect(subscribed: () => void): void {
    const socket = new WebSocket(this.url);
    const waiting = new Map<number, (result: unknown) => void>();
    this.#socket = socket;
    socket.on('open', () => {
      const call = (method: string, ...params: unknown[]): Promise<unknown> =>
        new Promise((resolve) => {
          const id = waiting.size + 1;
          waiting.set(id, resolve);
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        });
      void this.subscribe(call).then(subscribed);
    });
    socket.on('message', (data) => {
      const { id, result, params } = JSON.parse(String(data));
      waiting.get(id)?.(result);
      if (params === undefined) return;
      this.#seen.push(ethereumKey(params.result) ?? 'unknown');
      this.saw(params.cursor);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // It may be stopped and started again before the time is over: then it has another connection already.
      setTimeout(() => {
        if (!this.#isStopped && socket === this.#socket) this.#connect(subscribed);
      }, RECONNECT_MS);
    });
  }
}

/** Goes on with whatever comes next: blocks that were made while it was not connected are lost. */
export class NaiveIndexer extends BlockIndexer {
  protected subscribe(call: (method: string, ...params: unknown[]) => Promise<unknown>): Promise<unknown> {
    return call('eth_subscribe', 'newHeads');
  }
  protected saw(): void {}
}

/** Keeps the cursor of the last block that it has, and goes on behind it. Before its first block it has a height. */
export class ResumingIndexer extends BlockIndexer {
  #cursor: string | undefined;
  #first: string | undefined;

  protected async subscribe(call: (method: string, ...params: unknown[]) => Promise<unknown>): Promise<unknown> {
    if (this.#cursor !== undefined) return await call('eth_subscribe', 'newHeads', { cursor: this.#cursor });
    this.#first ??= `0x${(Number(await call('eth_blockNumber')) + 1).toString(16)}`;
    return await call('eth_subscribe', 'newHeads', { fromBlock: this.#first, cursor: true });
  }
  protected saw(cursor: string | undefined): void {
    this.#cursor = cursor;
  }
}
