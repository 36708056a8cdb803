/** An HTTP proxy whose target a test may change or remove. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterwards } from './temporary.js';

export interface Proxy {
  readonly url: string;
  /** Origin that answers; undefined cuts connections without an answer. */
  target: string | undefined;
}

/** Starts a proxy without a target on a port of the system; it ends with the test. */
export async function startProxy(): Promise<Proxy> {
  const server = createServer((asked, answer) => {
    const { target } = proxy;
    if (target === undefined) {
      asked.socket.destroy();
      return;
    }
    const passed = request(
      new URL(asked.url ?? '/', target),
      { method: asked.method, headers: asked.headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    passed.once('error', () => asked.socket.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  afterwards(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const proxy: Proxy = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, target: undefined };
  return proxy;
}
