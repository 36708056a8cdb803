/** Clients of a node that must not notice that its actors are restarted: each keeps what it was shown, in order. */
import { WebSocket } from 'ws';
import { signedEthereum, signedSend } from '../../e2e/load.js';

/** Calls a method of JSON-RPC; answers `result`, throws `RpcRefused` for an error. */
export async function rpc<Result>(url: string, method: string, params: unknown): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error }: { readonly result?: Result; readonly error?: { readonly message: string } } =
    (await response.json()) as { readonly result?: Result; readonly error?: { readonly message: string } };
  if (error !== undefined) throw new RpcRefused(`${method}: ${error.message} ${JSON.stringify(error)}`);
  return result as Result;
}

export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
}

/** A subscription on its own connection; keeps the text that `keyOf` takes from each notification. */
export class Subscriber {
  readonly seen: string[] = [];
  readonly #socket: WebSocket;
  readonly #subscribed: Promise<void>;
  /** Why the server ended the connection; undefined while it is open. */
  closed: string | undefined;

  constructor(
    readonly name: string,
    url: string,
    request: { readonly method: string; readonly params: unknown },
    keyOf: (message: string) => string | undefined,
  ) {
    this.#socket = new WebSocket(url);
    this.#subscribed = new Promise((resolve, reject) => {
      let answered = false;
      this.#socket.on('open', () => this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })));
      this.#socket.on('message', (data: Buffer) => {
        const text = data.toString();
        const key = keyOf(text);
        if (key !== undefined) return void this.seen.push(key);
        if (answered) return;
        answered = true;
        if (text.includes('"error"')) reject(new Error(`${name}: ${text}`));
        else resolve();
      });
      this.#socket.on('close', (code: number, reason: Buffer) => {
        this.closed = `${code} ${reason.toString()}`;
      });
      this.#socket.on('error', reject);
    });
  }

  ready(): Promise<void> {
    return this.#subscribed;
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.close();
  }
}

export const newHeads = (url: string): Subscriber =>
  new Subscriber('newHeads', url, { method: 'eth_subscribe', params: ['newHeads'] }, (text) =>
    text.includes('eth_subscription') ? /"number":"(0x[0-9a-f]+)"/.exec(text)?.[1] : undefined,
  );

export const pendingTransactions = (url: string): Subscriber =>
  new Subscriber(
    'newPendingTransactions',
    url,
    { method: 'eth_subscribe', params: ['newPendingTransactions'] },
    (text) => (text.includes('eth_subscription') ? /"result":"(0x[0-9a-f]{64})"/.exec(text)?.[1] : undefined),
  );

export const logs = (url: string): Subscriber =>
  new Subscriber('logs', url, { method: 'eth_subscribe', params: ['logs', {}] }, (text) =>
    text.includes('eth_subscription') ? /"transactionHash":"(0x[0-9a-f]{64})"/.exec(text)?.[1] : undefined,
  );

export const consensusBlocks = (url: string): Subscriber =>
  new Subscriber(
    'NewBlockHeader',
    url,
    { method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } },
    (text) => (text.includes('tendermint/event/NewBlockHeader') ? /"height":"(\d+)"/.exec(text)?.[1] : undefined),
  );

export const consensusTransactions = (url: string): Subscriber =>
  new Subscriber('Tx', url, { method: 'subscribe', params: { query: "tm.event='Tx'" } }, (text) =>
    text.includes('tendermint/event/Tx') ? /"tx\.hash":\["([0-9A-F]{64})"\]/.exec(text)?.[1] : undefined,
  );

/**
 * Sends transactions one after another until it is stopped; `accepted` are the hashes whose admission was acknowledged.
 */
export class Sender {
  readonly accepted: string[] = [];
  readonly #running: Promise<void>;
  #stopped = false;
  /** Refusals that say that the node is busy, after which the same transaction is sent again. */
  busy = 0;

  constructor(send: (nonce: bigint) => Promise<string>) {
    this.#running = this.#run(send);
  }

  async #run(send: (nonce: bigint) => Promise<string>): Promise<void> {
    for (let nonce = 0n; !this.#stopped;) {
      try {
        this.accepted.push(await send(nonce));
        nonce += 1n;
      } catch (error) {
        if (!(error instanceof RpcRefused) || !/busy|too many/i.test(error.message)) throw error;
        this.busy += 1;
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

export const ethereumSender = (url: string, account: number): Sender =>
  new Sender(async (nonce) =>
    rpc<string>(url, 'eth_sendRawTransaction', [signedEthereum(account, nonce).ethereum?.raw]),
  );

export const consensusSender = (url: string, account: number): Sender =>
  new Sender(async (nonce) => {
    const { tx } = signedSend(account, nonce);
    const { code, hash, log } = await rpc<{ readonly code: number; readonly hash: string; readonly log: string }>(
      url,
      'broadcast_tx_sync',
      { tx },
    );
    if (code !== 0) throw new Error(`${code}: ${log}`);
    return hash;
  });

/** Polls a filter until it is stopped; keeps everything that the polls answered. */
export class Poller {
  readonly collected: string[] = [];
  readonly #running: Promise<void>;
  #stopped = false;

  private constructor(
    readonly url: string,
    readonly id: string,
  ) {
    this.#running = this.#run();
  }

  static async create(url: string, method: 'eth_newBlockFilter' | 'eth_newPendingTransactionFilter'): Promise<Poller> {
    return new Poller(url, await rpc<string>(url, method, []));
  }

  async #poll(): Promise<void> {
    try {
      this.collected.push(...(await rpc<readonly string[]>(this.url, 'eth_getFilterChanges', [this.id])));
    } catch (error) {
      if (!(error instanceof RpcRefused) || !/busy|too many/i.test(error.message)) throw error;
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopped) await this.#poll();
  }

  /** Stops, and polls once more so that nothing is left. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.#poll();
  }
}
