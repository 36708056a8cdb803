/** A TCP proxy on a free port, which can cut its connections and refuse new ones. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Proxy {
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(
    /** The address of the target with the proxy's host and port. */
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** Listens on 127.0.0.1 and forwards to the host and port of `url`. */
  static async before(url: string): Promise<Proxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const own = new URL(url);
    own.port = String(typeof address === 'object' ? address?.port : '');
    const proxy = new Proxy(own.href.replace(/\/$/u, ''), server);
    server.on('connection', (client) => proxy.#join(client, connect(Number(port), hostname)));
    return proxy;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #join(client: Socket, upstream: Socket): void {
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      if (this.#isCut) one.destroy();
      else one.pipe(other);
    }
  }
}
