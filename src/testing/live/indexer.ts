/** A user's client or indexer in front of a node, with proxies between them that cut its connections. */
import type { Awaitable, IndexerUnderTest } from '../target.js';
import { Proxy } from './proxy.js';
import type { NodeUnderTest } from './node-under-test.js';

/** A client or indexer in the form that the model uses. */
export interface Indexer {
  /** Begins, or continues where `stop` interrupted it. Resolves when it misses no later event. */
  start(): Awaitable<void>;
  stop(): Awaitable<void>;
  /** Keys of everything that it has seen, in its order; the functions of this package make keys. */
  seen(): Awaitable<readonly string[]>;
}

export class IndexerBehindProxies implements IndexerUnderTest {
  private constructor(
    readonly interest: string,
    private readonly indexer: Indexer,
    private readonly proxies: readonly Proxy[],
  ) {}

  static async begin(
    endpoints: NodeUnderTest['endpoints'] | undefined,
    make: (endpoints: NodeUnderTest['endpoints']) => Awaitable<Indexer>,
    interest: string,
  ): Promise<IndexerBehindProxies> {
    if (endpoints === undefined) throw new Error('an indexer needs a node');
    const [ethWs, ethHttp, cometWs, comet] = await Promise.all(
      [endpoints.ethWs, endpoints.ethHttp, endpoints.cometWs, endpoints.comet].map((url) => Proxy.before(url)),
    );
    if (ethWs === undefined || ethHttp === undefined || cometWs === undefined || comet === undefined)
      throw new Error('four proxies were asked for');
    const proxied = { ethWs: ethWs.url, ethHttp: ethHttp.url, cometWs: cometWs.url, comet: comet.url };
    return new IndexerBehindProxies(interest, await make(proxied), [ethWs, ethHttp, cometWs, comet]);
  }

  start(): Awaitable<void> {
    return this.indexer.start();
  }
  stop(): Awaitable<void> {
    return this.indexer.stop();
  }
  seen(): Awaitable<readonly string[]> {
    return this.indexer.seen();
  }
  cut(): void {
    for (const proxy of this.proxies) proxy.cut();
  }
  restore(): void {
    for (const proxy of this.proxies) proxy.restore();
  }

  async end(): Promise<void> {
    await this.indexer.stop();
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
  }
}
