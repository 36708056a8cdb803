/** The contract of both transports (src/adapters/transport/server.ts); each transport runs these tests. */
import { once } from 'node:events';
import { connect, type Socket as TcpSocket } from 'node:net';
import { WebSocket } from 'ws';
import type { Timers } from '../../../src/core/ports/time.js';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { ConnectionLimit } from '../../../src/adapters/transport/connection-limit.js';
import { LargeRequests, MessageBudget } from '../../../src/adapters/transport/index.js';
import type {
  HttpHandler,
  HttpRequest,
  Message,
  Server,
  ServerOptions,
  Socket,
  WebSocketHandler,
} from '../../../src/adapters/transport/index.js';

export interface Kind {
  readonly name: 'uws' | 'node';
  create(options: ServerOptions): Promise<Server>;
}

const LIMITS = { bodyBytes: 1_000, messageBytes: 1_000, webSockets: 3 };
const OK: HttpHandler = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });
/** Timers that a test advances. */
function handTimers(): Timers & {
  readonly due: Map<object, () => void>;
  /** Milliseconds of each timer that was set. */
  readonly lengths: ReadonlyMap<object, number>;
  readonly fire: (milliseconds: number) => void;
} {
  const due = new Map<object, () => void>();
  const lengths = new Map<object, number>();
  return {
    due,
    lengths,
    fire(milliseconds) {
      for (const [key, run] of [...due]) {
        if (lengths.get(key) !== milliseconds) continue;
        due.delete(key);
        run();
      }
    },
    after(milliseconds, run) {
      const key = {};
      due.set(key, run);
      lengths.set(key, milliseconds);
      return () => due.delete(key);
    },
    yield: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const SILENT: WebSocketHandler = {
  open: () => undefined,
  message: () => undefined,
  drain: () => undefined,
  close: () => undefined,
};

/** Answers a message by itself. */
function sendBack(socket: Socket, message: Message): void {
  socket.send(message.text());
  message.release();
}

/** A promise and its resolve function. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Calls `notify` each time that `ask` is called. */
function waited(ask: () => Promise<void>, notify: () => void): () => Promise<void> {
  return () => {
    notify();
    return ask();
  };
}

/** All bytes that a raw connection received until the other side closed it. */
async function untilClosed(socket: TcpSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

export function contract(kind: Kind): void {
  describe(`transport ${kind.name}`, () => {
    const servers: Server[] = [];
    const defects: unknown[] = [];
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close(false);
      defects.length = 0;
    });

    const start = async (
      options: Partial<ServerOptions> & { readonly sockets?: Partial<WebSocketHandler>; readonly refusePath?: string },
    ): Promise<{ server: Server; port: number; url: string }> => {
      const server = await kind.create({
        http: options.http ?? OK,
        limits: options.limits ?? LIMITS,
        timers: options.timers ?? handTimers(),
        onDefect: (error) => defects.push(error),
        ...(options.inspect === undefined ? {} : { inspect: options.inspect }),
        ...(options.large === undefined ? {} : { large: options.large }),
        ...(options.connections === undefined ? {} : { connections: options.connections }),
        ...(options.messages === undefined ? {} : { messages: options.messages }),
        ...(options.exposure === undefined ? {} : { exposure: options.exposure }),
        ...(options.tooLarge === undefined ? {} : { tooLarge: options.tooLarge }),
        ...(options.sockets === undefined
          ? {}
          : {
              webSocket: {
                handler: { ...SILENT, ...options.sockets },
                refuse: (head) =>
                  head.path === '/websocket' || head.path === '/'
                    ? undefined
                    : { status: 404, headers: {}, body: 'no such path' },
              },
            }),
      });
      servers.push(server);
      const listened = await server.listen('127.0.0.1', 0);
      if (!listened.ok) throw new Error(`could not listen: ${listened.code}`);
      return { server, port: listened.port, url: `http://127.0.0.1:${listened.port}` };
    };

    it('is the requested kind', async () => {
      expect((await start({})).server.kind).toBe(kind.name);
    });

    it('passes method, path, query, headers and body, and returns status, headers and body', async () => {
      const seen: HttpRequest[] = [];
      const { url } = await start({
        http: (request) => {
          seen.push(request);
          return { status: 418, headers: { 'x-answer': 'yes' }, body: new Uint8Array([104, 105]) };
        },
      });
      const response = await fetch(`${url}/a%20b?x=%221%22&y=`, {
        method: 'POST',
        headers: { 'X-Thing': 'Value' },
        body: '{"a":"ü"}',
      });
      expect([response.status, response.headers.get('x-answer'), await response.text()]).toEqual([418, 'yes', 'hi']);
      const [request] = seen;
      expect([request?.method, request?.path, request?.query, request?.headers.get('x-thing')]).toEqual([
        'POST',
        '/a%20b',
        'x=%221%22&y=',
        'Value',
      ]);
      expect(new TextDecoder().decode(request?.body)).toBe('{"a":"ü"}');
    });

    it('passes an empty body and an empty query when there are none', async () => {
      const { url } = await start({
        http: (request) => ({
          status: 200,
          headers: {},
          body: `${request.method} ${request.query.length} ${request.body.length}`,
        }),
      });
      expect(await (await fetch(`${url}/`)).text()).toBe('GET 0 0');
    });

    it('waits for a later answer', async () => {
      const { url } = await start({
        http: async () => ({ status: 200, headers: {}, body: await Promise.resolve('later') }),
      });
      expect(await (await fetch(url)).text()).toBe('later');
    });

    it('answers HEAD without a body but with its length', async () => {
      const { url } = await start({});
      const response = await fetch(url, { method: 'HEAD' });
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '2', '']);
    });

    it('answers 500 when a handler throws, without its text, and reports the defect', async () => {
      const { url } = await start({
        http: () => {
          throw new Error('secret path /root');
        },
      });
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([500, 'internal error\n']);
      expect(defects).toHaveLength(1);
    });

    it('accepts a body of exactly the limit and answers 413 above it, declared or chunked', async () => {
      const { url, port } = await start({
        http: (request) => ({ status: 200, headers: {}, body: String(request.body.length) }),
      });
      expect(await (await fetch(url, { method: 'POST', body: 'x'.repeat(1_000) })).text()).toBe('1000');

      const declared = connect(port, '127.0.0.1');
      declared.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\n\r\n${'x'.repeat(1_001)}`);
      expect(await untilClosed(declared)).toMatch(/^HTTP\/1\.1 413 /);

      const chunked = connect(port, '127.0.0.1');
      chunked.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}\r\n0\r\n\r\n`,
      );
      expect(await untilClosed(chunked)).toMatch(/^HTTP\/1\.1 413 /);
    });

    it.each([
      ['declared', 6 * 1024 * 1024, (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
      [
        'chunked',
        6 * 1024 * 1024,
        (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ],
    ] as const)(
      'reads the rest of an oversized body, %s, so that its client reads the answer',
      async (_, length, of) => {
        const { port } = await start({});
        for (let times = 0; times < 5; times += 1) {
          const socket = connect(port, '127.0.0.1');
          const answer = untilClosed(socket);
          const written = new Promise((resolve) => {
            socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${of('x'.repeat(length))}`, resolve);
          });
          expect(await written).toBeFalsy();
          expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
        }
      },
    );

    it('stops reading an endless body', async () => {
      const { port } = await start({});
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const piece = `100000\r\n${'x'.repeat(0x10_00_00)}\r\n`;
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
      let sent = 0;
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece)) sent += 1;
      };
      socket.on('drain', more);
      more();
      await closed;
      expect(sent).toBeLessThan(200);
    });

    it('lets the adapter choose the answer to an oversized body', async () => {
      const { port } = await start({
        tooLarge: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":1}' },
      });
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`);
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":1\}$/);
    });

    it.each(['Host: b', 'Content-Length: 3', 'Origin: http://b'])('refuses a request with two of %s', async (line) => {
      const { port } = await start({});
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nContent-Length: 2\r\n${line}\r\nConnection: close\r\n\r\nab`,
      );
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /);
    });

    it('survives a client that disconnects before its answer', async () => {
      const entered = deferred<void>();
      const gate = deferred<void>();
      const { port, url } = await start({
        http: async (request) => {
          if (request.path === '/slow') {
            entered.resolve();
            await gate.promise;
          }
          return { status: 200, headers: {}, body: 'ok' };
        },
      });
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await entered.promise;
      socket.destroy();
      await once(socket, 'close');
      expect(await (await fetch(url)).text()).toBe('ok');
      gate.resolve();
      expect(await (await fetch(url)).text()).toBe('ok');
      expect(defects).toEqual([]);
    });

    it('handles a request whose client disconnects before its turn, with its whole body', async () => {
      const left = deferred<void>();
      const seen = deferred<string>();
      const { port } = await start({
        timers: { ...handTimers(), yield: () => left.promise },
        http: ({ body }) => {
          seen.resolve(Buffer.from(body).toString());
          return { status: 200, headers: {}, body: 'ok' };
        },
      });
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n${'x'.repeat(900)}`);
      await once(socket.resume(), 'close');
      left.resolve();
      expect(await seen.promise).toBe('x'.repeat(900));
      expect(defects).toEqual([]);
    });

    it('supports pipelining over node:http; uWebSockets.js ends the connection at the second request', async () => {
      const { port } = await start({ http: ({ path }) => ({ status: 200, headers: {}, body: `answer to ${path};` }) });
      const socket = connect(port, '127.0.0.1');
      const head = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
      socket.write(head('/one') + head('/two') + head('/three', 'Connection: close\r\n'));
      const answers = [...(await untilClosed(socket)).matchAll(/answer to \/\w+(?=;)/g)].map(String);
      expect(answers).toEqual(kind.name === 'uws' ? [] : ['answer to /one', 'answer to /two', 'answer to /three']);
      expect(defects).toEqual([]);
    });

    it('serves HTTP/1.0 over node:http, also in pieces; uWebSockets.js answers 505', async () => {
      const pieces = [Buffer.from('one,'), Buffer.from('two')];
      const stream = { next: () => Promise.resolve(pieces.shift()), end: () => undefined };
      const { port } = await start({
        http: ({ path, headers, body }) => {
          const text = `${headers.get('host') ?? 'nobody'} sent ${Buffer.from(body).toString()}`;
          return path === '/pieces' ? { status: 200, headers: {}, stream } : { status: 200, headers: {}, body: text };
        },
      });
      const answerTo = async (path: string, more = ''): Promise<string> => {
        const socket = connect(port, '127.0.0.1');
        socket.write(`POST ${path} HTTP/1.0\r\n${more}Content-Length: 2\r\n\r\n{}`);
        return untilClosed(socket);
      };
      // As nginx requests from its upstreams, and a client that sends no host.
      const answers = [
        await answerTo('/', 'Host: localhost\r\nConnection: close\r\n'),
        await answerTo('/'),
        await answerTo('/pieces'),
      ];
      const expected = ['localhost sent {}', 'nobody sent {}', 'one,two'];
      for (const [place, answer] of answers.entries())
        if (kind.name === 'uws') expect(answer).toMatch(/^HTTP\/1\.1 505 /u);
        else {
          expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
          expect(answer.toLowerCase()).not.toContain('transfer-encoding');
          expect(answer.split('\r\n\r\n')[1]).toBe(expected[place]);
        }
      expect(defects).toEqual([]);
    });

    it('releases the bytes of requests whose clients disconnected', async () => {
      const { port, url } = await start({ limits: { ...LIMITS, pendingBodyBytes: 1_000 } });
      const post = (): Promise<Response> => fetch(url, { method: 'POST', body: 'x'.repeat(200) });
      for (let client = 0; client < 5; client += 1) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.end(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n${'x'.repeat(900)}`);
        await once(socket.resume(), 'close');
      }
      expect((await post()).status).toBe(200);
    });

    it('reports that a port is in use, and the first server keeps all connections', async () => {
      const { port, url } = await start({});
      const second = await kind.create({
        http: () => ({ status: 200, headers: {}, body: 'second' }),
        limits: LIMITS,
        timers: handTimers(),
        onDefect: () => undefined,
      });
      servers.push(second);
      expect(await second.listen('127.0.0.1', port)).toEqual({
        ok: false,
        code: 'E_PORT_IN_USE',
        host: '127.0.0.1',
        port,
      });
      expect(await (await fetch(url)).text()).toBe('ok');
    });

    it('reports any other reason why it cannot listen', async () => {
      const server = await kind.create({ http: OK, limits: LIMITS, timers: handTimers(), onDefect: () => undefined });
      servers.push(server);
      expect(await server.listen('203.0.113.1', 0)).toMatchObject({ ok: false, code: 'E_LISTEN_FAILED' });
    });

    it('carries websocket text both ways, corked or not, in order', async () => {
      const { port } = await start({
        sockets: {
          open: (socket) => socket.send('hello'),
          message: (socket, message) => {
            expect(socket.head.path).toBe('/websocket');
            socket.cork(() => {
              for (const word of [message.text(), 'a', 'b']) socket.send(word);
            });
          },
        },
      });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      const received: string[] = [];
      const four = deferred<void>();
      client.on('message', (data: Buffer) => {
        received.push(data.toString('utf8'));
        if (received.length === 4) four.resolve();
      });
      await once(client, 'open');
      client.send('grüße');
      await four.promise;
      expect(received).toEqual(['hello', 'grüße', 'a', 'b']);
      client.close();
      expect(defects).toEqual([]);
    });

    it('still answers ordinary requests on the websocket path', async () => {
      const { url } = await start({ sockets: {} });
      expect(await (await fetch(`${url}/websocket`)).text()).toBe('ok');
    });

    it('refuses an upgrade with the answer of the adapter', async () => {
      const { port } = await start({ sockets: {} });
      const client = new WebSocket(`ws://127.0.0.1:${port}/other`);
      const [error] = await once(client, 'error');
      expect(String(error)).toContain('404');
    });

    it('refuses websockets above their limit with 503', async () => {
      const { port } = await start({ sockets: {} });
      const clients = Array.from({ length: 3 }, () => new WebSocket(`ws://127.0.0.1:${port}/websocket`));
      await Promise.all(clients.map((client) => once(client, 'open')));
      const [error] = await once(new WebSocket(`ws://127.0.0.1:${port}/websocket`), 'error');
      expect(String(error)).toContain('503');
      for (const client of clients) client.terminate();
    });

    it('ends a socket with 1009 after an oversized message, without showing it', async () => {
      const seen: string[] = [];
      const { port } = await start({ sockets: { message: (_socket, message) => void seen.push(message.text()) } });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(client, 'open');
      client.send('x'.repeat(1_001));
      const [code] = await once(client, 'close');
      expect([code, seen]).toEqual([1009, []]);
    });

    it("sends the server's close code and reason, reports the close once, and ignores later calls", async () => {
      const sockets: Socket[] = [];
      const closed = deferred<void>();
      let closes = 0;
      const { port } = await start({
        sockets: {
          open: (socket) => void sockets.push(socket),
          message: (socket) => socket.end(1013, 'too slow'),
          close: () => {
            closes += 1;
            closed.resolve();
          },
        },
      });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(client, 'open');
      client.send('go');
      const [code, reason] = await once(client, 'close');
      expect([code, String(reason)]).toEqual([1013, 'too slow']);
      await closed.promise;
      const [socket] = sockets;
      expect([socket?.send('late'), socket?.bufferedBytes(), closes]).toEqual(['dropped', 0, 1]);
      socket?.cork(() => socket.send('late'));
      socket?.end(1000, '');
    });

    it('buffers for a reader that stalls, loses nothing, and reports when the buffer is empty', async () => {
      const line = 'y'.repeat(64 * 1024);
      const drained = deferred<void>();
      let sent = 0;
      const { port } = await start({
        sockets: {
          message: (socket) => {
            // The kernel takes some megabytes before the first backpressure.
            while (socket.send(line) !== 'buffered') sent += 1;
            sent += 1;
            expect(socket.bufferedBytes()).toBeGreaterThan(0);
          },
          drain: () => drained.resolve(),
        },
      });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      let received = 0;
      client.on('message', () => {
        received += 1;
      });
      await once(client, 'open');
      client.pause();
      client.send('go');
      await new Promise<void>((resolve) => setImmediate(resolve));
      client.resume();
      await drained.promise;
      client.close();
      await once(client, 'close');
      expect(received).toBe(sent);
      expect(defects).toEqual([]);
    });

    it.each([
      ['evil.example', 403],
      ['evil.example:26657', 403],
      ['127.0.0.1.evil.example', 403],
      ['localhost', 200],
      ['LOCALHOST:1', 200],
      ['192.0.2.7:80', 200],
      ['[::1]:80', 200],
      ['node.example:80', 200],
    ])('admits or refuses Host %s (%i)', async (host, status) => {
      const { port } = await start({ exposure: { hosts: ['Node.example'], origins: [] } });
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await untilClosed(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    });

    it('refuses pages of other origins without CORS, also on an upgrade, and admits its own origin', async () => {
      const { url, port } = await start({ sockets: {} });
      const foreign = await fetch(url, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } });
      expect([foreign.status, await foreign.text()]).toEqual([
        403,
        expect.stringMatching(/^origin not allowed: .*--cors-allowed-origins http:\/\/evil.example /),
      ]);
      expect((await fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
      const own = await fetch(url, { headers: { origin: url } });
      expect([own.status, own.headers.get('access-control-allow-origin'), own.headers.get('vary')]).toEqual([
        200,
        null,
        null,
      ]);
      const [error] = await once(
        new WebSocket(`ws://127.0.0.1:${port}/websocket`, { origin: 'http://evil.example' }),
        'error',
      );
      expect(String(error)).toContain('403');
      const page = new WebSocket(`ws://127.0.0.1:${port}/websocket`, { origin: url });
      await once(page, 'open');
      page.terminate();
    });

    it('checks the Host of an upgrade', async () => {
      const { port } = await start({ sockets: {} });
      const [error] = await once(
        new WebSocket(`ws://127.0.0.1:${port}/websocket`, { headers: { host: 'evil.example' } }),
        'error',
      );
      expect(String(error)).toContain('403');
    });

    it('answers listed origins by name, refuses others, and sends Vary', async () => {
      const { url, port } = await start({
        sockets: {},
        exposure: { hosts: [], origins: ['https://app.example', 'http://*.dapp.example'] },
      });
      for (const origin of ['https://app.example', 'http://a.dapp.example']) {
        const response = await fetch(url, { headers: { origin } });
        expect([
          response.status,
          response.headers.get('access-control-allow-origin'),
          response.headers.get('vary'),
        ]).toEqual([200, origin, 'Origin']);
      }
      for (const origin of ['http://app.example', 'https://app.example.evil.example', 'null'])
        expect((await fetch(url, { headers: { origin } })).status).toBe(403);
      expect((await fetch(url)).headers.get('vary')).toBe('Origin');
      const dapp = new WebSocket(`ws://127.0.0.1:${port}/websocket`, { origin: 'https://app.example' });
      await once(dapp, 'open');
      dapp.terminate();
    });

    it('answers a preflight itself, and allows only methods that the APIs have', async () => {
      let handled = 0;
      const { url } = await start({
        exposure: { hosts: [], origins: ['*'] },
        http: () => {
          handled += 1;
          return { status: 200, headers: {}, body: 'ok' };
        },
      });
      const ask = (method: string) =>
        fetch(url, {
          method: 'OPTIONS',
          headers: {
            origin: 'http://dapp.example',
            'access-control-request-method': method,
            'access-control-request-headers': 'Content-Type,X-Thing',
          },
        });
      const granted = await ask('POST');
      expect([granted.status, await granted.text(), handled]).toEqual([204, '', 0]);
      expect(
        Object.fromEntries(
          ['allow-origin', 'allow-methods', 'allow-headers'].map((name) => [
            name,
            granted.headers.get(`access-control-${name}`),
          ]),
        ),
      ).toEqual({
        'allow-origin': '*',
        'allow-methods': 'POST',
        'allow-headers': 'content-type,x-thing',
      });
      expect(granted.headers.get('vary')).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
      expect([null, '0']).toContain(granted.headers.get('content-length'));
      const denied = await ask('DELETE');
      expect([denied.status, denied.headers.get('access-control-allow-origin')]).toEqual([204, null]);
      // An OPTIONS request that is not a preflight is an ordinary request.
      const plain = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://dapp.example' } });
      expect([plain.status, plain.headers.get('access-control-allow-origin'), handled]).toEqual([200, '*', 1]);
    });

    it('keeps the connection of a preflight for the request that follows it', async () => {
      const { port } = await start({ exposure: { hosts: [], origins: ['*'] } });
      const socket = connect(port, '127.0.0.1');
      const answer = untilClosed(socket);
      socket.write(
        'OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nAccess-Control-Request-Method: POST\r\n\r\n',
      );
      await once(socket, 'data');
      socket.write(
        'POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
      );
      expect(await answer).toMatch(/^HTTP\/1\.1 204 [\s\S]*HTTP\/1\.1 200 [\s\S]*ok$/);
    });

    it('lets a page read refusals of its request, so that it can show them', async () => {
      const { url } = await start({ exposure: { hosts: [], origins: ['*'] } });
      const response = await fetch(url, {
        method: 'POST',
        body: 'x'.repeat(1_001),
        headers: { origin: 'http://dapp.example' },
      });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([413, '*']);
    });

    it('takes a request line of 12 KB and answers 431 beyond 16 KiB', async () => {
      const { port, url } = await start({
        http: ({ query }) => ({ status: 200, headers: {}, body: String(query.length) }),
      });
      expect(await (await fetch(`${url}/broadcast_tx_sync?${'x'.repeat(12_000)}`)).text()).toBe('12000');
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 431 /);
    });

    it('answers connections above their limit with 503, counts websockets, and accepts new ones later', async () => {
      const { port, url } = await start({ sockets: {}, limits: { ...LIMITS, connections: 2 } });
      const webSocket = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(webSocket, 'open');
      const second = connect(port, '127.0.0.1');
      await once(second, 'connect');
      // The server has read the second request when it answered it.
      second.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(second, 'data');
      const third = connect(port, '127.0.0.1');
      third.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(await untilClosed(third)).toMatch(/^HTTP\/1\.1 503 [^]*too many open connections \(limit connections\)/);
      const ended = once(webSocket, 'close');
      webSocket.terminate();
      await ended;
      // Its end reaches the server after a turn or two of both sides; the second stays open.
      for (let turn = 0; turn < 1_000; turn += 1) {
        const answer = await fetch(url).then(
          (response) => response.status,
          () => undefined,
        );
        if (answer === 200) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error('the limit did not open again');
    });

    it('names the file limit of the process to connections above it, and leaves the others alone', async () => {
      const { port } = await start({ connections: new ConnectionLimit(1) });
      const first = connect(port, '127.0.0.1');
      const ask = async (): Promise<string> => {
        first.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        return String((await once(first, 'data'))[0]);
      };
      expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
      for (let times = 0; times < 3; times += 1)
        expect(await untilClosed(connect(port, '127.0.0.1'))).toMatch(
          /^HTTP\/1\.1 503 [^]*the process may open no more files \(limit reservedFiles\)\n$/,
        );
      expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    });

    it('releases the bytes of a body that turned out too large', async () => {
      const { port, url } = await start({ limits: { ...LIMITS, pendingBodyBytes: 2_000 } });
      const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
      for (let times = 0; times < 4; times += 1) {
        const socket = connect(port, '127.0.0.1');
        socket.write(
          `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(900)}${chunk(200)}${chunk(0)}`,
        );
        expect(await untilClosed(socket)).toContain('413');
      }
      expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1_000) })).status).toBe(200);
    });

    it('lets an address whose websocket ended open another', async () => {
      const { port } = await start({
        limits: { ...LIMITS, webSocketsPerAddress: 1, limitLoopback: true },
        sockets: { close: () => closed.resolve() },
      });
      const closed = deferred<void>();
      const first = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(first, 'open');
      first.terminate();
      await closed.promise;
      const second = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(second, 'open');
      second.terminate();
    });

    it('releases the bytes of a request that its client abandons', async () => {
      const { port, url } = await start({ limits: { ...LIMITS, pendingBodyBytes: 1_000 } });
      const abandoned = connect(port, '127.0.0.1');
      abandoned.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n${'x'.repeat(899)}`);
      const post = (): Promise<number> =>
        fetch(url, { method: 'POST', body: 'x'.repeat(200) }).then(({ status }) => status);
      const until = async (status: number): Promise<number> => {
        let last = 0;
        for (let turn = 0; turn < 1_000 && last !== status; turn += 1) last = await post();
        return last;
      };
      // The server has these bytes, and later notices that the rest will not come.
      expect(await until(503)).toBe(503);
      abandoned.destroy();
      expect(await until(200)).toBe(200);
    });

    it('holds request bodies within one limit and releases their bytes', async () => {
      const entered = deferred<void>();
      const gate = deferred<void>();
      const { url } = await start({
        limits: { ...LIMITS, pendingBodyBytes: 1_200 },
        http: async ({ path }) => {
          if (path === '/wait') {
            entered.resolve();
            await gate.promise;
          }
          return { status: 200, headers: {}, body: 'ok' };
        },
      });
      const body = 'x'.repeat(800);
      const first = fetch(`${url}/wait`, { method: 'POST', body });
      await entered.promise;
      const second = await fetch(url, { method: 'POST', body });
      expect([second.status, await second.text()]).toEqual([
        503,
        'too many request bytes are waiting (limit pendingBodyBytes)\n',
      ]);
      gate.resolve();
      expect(await (await first).text()).toBe('ok');
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    });

    it('handles a large body in a turn of its own, and answers small ones meanwhile', async () => {
      const { largeRequestBytes } = DEFAULT_LIMITS;
      const turns: (() => void)[] = [];
      let turn = 0;
      const large = new LargeRequests({ yield: () => new Promise((resolve) => turns.push(resolve)) });
      const asked = [deferred<void>(), deferred<void>()];
      const seen: number[] = [];
      const { url } = await start({
        limits: { ...LIMITS, bodyBytes: largeRequestBytes },
        large: Object.assign(large, { next: waited(large.next.bind(large), () => asked[turn++]?.resolve()) }),
        http: ({ body }) => {
          seen.push(body.length);
          return { status: 200, headers: {}, body: 'ok' };
        },
      });
      const post = (length: number) => fetch(url, { method: 'POST', body: 'x'.repeat(length) });
      const nextTurn = (): void => turns.splice(0).forEach((resolve) => resolve());
      const answers = [post(largeRequestBytes)];
      await asked[0]?.promise;
      answers.push(post(largeRequestBytes));
      await asked[1]?.promise;
      await post(largeRequestBytes - 1);
      expect(seen).toEqual([largeRequestBytes - 1]);
      for (const answer of answers) {
        nextTurn();
        expect(await (await answer).text()).toBe('ok');
      }
      expect(seen).toEqual([largeRequestBytes - 1, largeRequestBytes, largeRequestBytes]);
    });

    it('refuses a body with the answer of its check, whatever the rest is, and checks others separately', async () => {
      const asked: string[] = [];
      const { port, url } = await start({
        limits: { ...LIMITS, bodyBytes: 1_000_000 },
        http: (request) => {
          asked.push(request.path);
          return OK(request);
        },
        inspect: ({ path }) => {
          let bytes = 0;
          if (path !== '/checked') return undefined;
          return (piece) => {
            bytes += piece.length;
            return bytes < 10_000 ? undefined : { status: 418, headers: {}, body: `after ${bytes} bytes` };
          };
        },
      });
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `POST /checked HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(10_000)}`,
          () => setTimeout(() => socket.write('x'.repeat(990_000)), 50),
        ),
      );
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1.1 418 [^]*after 10000 bytes$/);
      for (const path of ['/checked', '/other'])
        expect((await fetch(url + path, { method: 'POST', body: 'x'.repeat(9_000) })).status).toBe(200);
      expect((await fetch(`${url}/other`, { method: 'POST', body: 'x'.repeat(900_000) })).status).toBe(200);
      expect(asked).toEqual(['/checked', '/other', '/other']);
    });

    it('reads many long bodies at once, a few pieces in each turn', async () => {
      const length = 3 * 1024 * 1024;
      const { url } = await start({
        limits: { ...LIMITS, bodyBytes: length },
        http: ({ body }) => ({ status: 200, headers: {}, body: String(body.length) }),
      });
      const body = 'x'.repeat(length);
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => (await fetch(url, { method: 'POST', body })).text()),
      );
      expect(answers).toEqual(Array.from({ length: 12 }, () => String(length)));
      expect(await (await fetch(url, { method: 'POST', body: 'x' })).text()).toBe('1');
      expect(defects).toEqual([]);
    });

    it('sends a long answer whole to a client that begins to read late', async () => {
      const body = 'ü'.repeat(10 * 1024 * 1024);
      const { port } = await start({ http: () => ({ status: 200, headers: {}, body }) });
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'));
      // The kernel's buffers are full when the answer has begun to arrive and the client does not read.
      await once(socket, 'readable');
      let received = 0;
      let tail = '';
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        tail = chunk.subarray(-2).toString();
        if (received > 20 * 1024 * 1024) socket.destroy();
      });
      await once(socket, 'close');
      const headers = received - 20 * 1024 * 1024;
      expect([headers > 0 && headers < 300, tail]).toEqual([true, 'ü']);
    });

    it('limits requests, messages and websockets of an address, and exempts loopback by default', async () => {
      const bounds = { ...LIMITS, requestsPerSecond: 1, requestBurst: 2, webSocketsPerAddress: 1 };
      const limited = await start({
        limits: { ...bounds, limitLoopback: true },
        sockets: { message: (socket, message) => sendBack(socket, message) },
      });
      const client = new WebSocket(`ws://127.0.0.1:${limited.port}/websocket`);
      await once(client, 'open');
      const [error] = await once(new WebSocket(`ws://127.0.0.1:${limited.port}/websocket`), 'error');
      expect(String(error)).toContain('503');
      expect((await fetch(limited.url)).status).toBe(200);
      client.send('one');
      expect(String((await once(client, 'message'))[0])).toBe('one');
      const refused = await fetch(limited.url);
      expect([refused.status, await refused.text()]).toEqual([
        429,
        'too many requests of one address (limit requestsPerSecond)\n',
      ]);
      client.send('two');
      const [code, reason] = await once(client, 'close');
      expect([code, String(reason)]).toEqual([1008, 'too many requests of one address (limit requestsPerSecond)']);

      const exempt = await start({ limits: bounds });
      for (let times = 0; times < 5; times += 1) expect((await fetch(exempt.url)).status).toBe(200);
    });

    it('handles a few websocket messages in each turn of the event loop, in order for each socket', async () => {
      const MANY = 1_000;
      const handled: string[] = [];
      const last = deferred<void>();
      const { port } = await start({
        limits: { ...LIMITS, messageBytes: 100_000 },
        sockets: {
          message: (_, message) => {
            handled.push(message.text());
            if (handled.length === MANY + 1) last.resolve();
          },
          close: () => last.resolve(),
        },
      });
      const greedy = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      const modest = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await Promise.all([once(greedy, 'open'), once(modest, 'open')]);
      let before = 0;
      let mostInTurn = 0;
      const count = (): void => {
        mostInTurn = Math.max(mostInTurn, handled.length - before);
        before = handled.length;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      for (let index = 0; index < MANY; index += 1) greedy.send(`${index}`);
      modest.send('modest');
      await last.promise;
      clearImmediate(counting);
      const { messagesAtOnce, requestsPerTurn } = FIXED_LIMITS;
      expect(mostInTurn).toBeLessThanOrEqual(messagesAtOnce + requestsPerTurn);
      expect(handled.indexOf('modest')).toBeLessThan(MANY / 2);
      expect(handled.filter((text) => text !== 'modest')).toEqual(Array.from({ length: MANY }, (_, at) => `${at}`));
      for (const client of [greedy, modest]) client.terminate();
      expect(defects).toEqual([]);
    });

    it('handles messages that came before a socket ended, and ends one with too many waiting bytes', async () => {
      const events: string[] = [];
      const ended = deferred<void>();
      const { port } = await start({
        limits: { ...LIMITS, messageBytes: 100_000 },
        sockets: {
          message: (_, message) => void events.push(message.text()),
          close: () => {
            events.push('closed');
            ended.resolve();
          },
        },
      });
      const leaving = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(leaving, 'open');
      for (let index = 0; index < 100; index += 1) leaving.send(`${index}`);
      leaving.close();
      await ended.promise;
      expect(events).toEqual([...Array.from({ length: 100 }, (_, at) => `${at}`), 'closed']);

      const greedy = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(greedy, 'open');
      greedy.on('error', () => undefined);
      for (let index = 0; index < 3 * FIXED_LIMITS.webSocketWaitingMessages; index += 1) greedy.send('x');
      const [code, reason] = await once(greedy, 'close');
      expect([code, String(reason)]).toEqual([1008, 'too many requests are waiting (limit webSocketWaitingMessages)']);
      expect(defects).toEqual([]);
    });

    describe('unanswered websocket messages', () => {
      const LONG = DEFAULT_LIMITS.largeRequestBytes;
      const limits = { ...LIMITS, messageBytes: 2 * LONG };
      /** A server that holds its messages until they are released. */
      const holding = async (
        room: MessageBudget,
        more: Partial<ServerOptions & { sockets: Partial<WebSocketHandler> }> = {},
      ) => {
        const held: Message[] = [];
        let notify: () => void = () => undefined;
        const { port } = await start({
          limits,
          messages: room,
          ...more,
          sockets: {
            message(_, message) {
              held.push(message);
              notify();
            },
            ...more.sockets,
          },
        });
        return {
          held,
          connect: async () => {
            const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
            client.on('error', () => undefined);
            await once(client, 'open');
            return client;
          },
          until: (count: number): Promise<void> =>
            new Promise((resolve) => {
              notify = () => held.length >= count && resolve();
              notify();
            }),
        };
      };
      const ended = async (client: WebSocket): Promise<readonly [number, string]> => {
        const [code, reason]: readonly [number, Buffer] = (await once(client, 'close')) as [number, Buffer];
        return [code, reason.toString()];
      };

      it('keep their texts, although the memory in which they came is reused', async () => {
        const { held, connect, until } = await holding(new MessageBudget());
        const client = await connect();
        const texts = ['a', 'ü', 'c'].map((letter) => letter.repeat(LONG));
        for (const text of [...texts, 'short']) client.send(text);
        await until(4);
        expect(held.map(({ bytes }) => bytes)).toEqual([LONG, 2 * LONG, LONG, 5]);
        expect(held.map((message) => message.text() === [...texts, 'short'][held.indexOf(message)])).toEqual([
          true,
          true,
          true,
          true,
        ]);
        client.terminate();
      });

      it('are limited over all servers: the newest is refused with 1013, and others are not affected', async () => {
        const room = new MessageBudget(2 * LONG);
        const [one, other] = [await holding(room), await holding(room)];
        const clients = [
          await one.connect(),
          await one.connect(),
          await other.connect(),
          await other.connect(),
        ] as const;
        const [first, short, second, third] = clients;
        first.send('x'.repeat(LONG));
        await one.until(1);
        second.send('x'.repeat(LONG));
        await other.until(1);
        third.send('x'.repeat(LONG));
        expect(await ended(third)).toEqual([
          1013,
          'too many bytes of websockets are waiting (limit pendingMessageBytes)',
        ]);
        short.send('short');
        await one.until(2);
        one.held[0]?.release();
        one.held[0]?.release();
        first.send('y'.repeat(LONG));
        await one.until(3);
        expect(one.held[2]?.text()).toBe('y'.repeat(LONG));
        const fourth = await other.connect();
        fourth.send('x'.repeat(LONG));
        expect((await ended(fourth))[0]).toBe(1013);
        expect(clients.map(({ readyState }) => readyState === WebSocket.OPEN)).toEqual([true, true, true, false]);
        for (const client of clients) client.terminate();
      });

      it('are limited for one socket, which ends with 1008', async () => {
        const { connect, until } = await holding(new MessageBudget(), {
          limits: { ...limits, socketMessageBytes: LONG + 2 * FIXED_LIMITS.heldMessageBytes },
        });
        const [greedy, modest] = [await connect(), await connect()];
        greedy.send('x'.repeat(LONG));
        greedy.send('x');
        modest.send('x'.repeat(LONG));
        await until(3);
        // A short message counts as a longer one.
        for (const text of ['y', 'z']) greedy.send(text);
        expect(await ended(greedy)).toEqual([
          1008,
          'too many bytes of one websocket are waiting (limit socketMessageBytes)',
        ]);
        modest.send('y');
        await until(5);
        modest.terminate();
      });

      it('are refused by the handler if it can, and the socket stays open', async () => {
        const refused: (readonly [string, string])[] = [];
        const { held, connect, until } = await holding(new MessageBudget(LONG), {
          sockets: {
            noRoom(socket, bytes, reason) {
              refused.push([bytes.toString().slice(-1), reason]);
              socket.send('no room');
              return true;
            },
          },
        });
        const client = await connect();
        for (const letter of ['a', 'b']) client.send(letter.repeat(LONG));
        expect(String((await once(client, 'message'))[0])).toBe('no room');
        client.send('c');
        await until(2);
        expect([held.map((message) => message.text()[0]), refused]).toEqual([
          ['a', 'c'],
          [['b', 'too many bytes of websockets are waiting (limit pendingMessageBytes)']],
        ]);
        client.terminate();
      });

      it('are released when the handler fails', async () => {
        const { connect } = await holding(new MessageBudget(LONG), {
          sockets: {
            message(socket) {
              socket.send('seen');
              throw new Error('a defect');
            },
          },
        });
        const client = await connect();
        for (const _ of [1, 2, 3]) {
          client.send('x'.repeat(LONG));
          expect(String((await once(client, 'message'))[0])).toBe('seen');
        }
        expect(defects).toHaveLength(3);
        client.terminate();
      });

      it('are released when their socket is cut while they wait', async () => {
        const { webSocketWaitingMessages: most, heldMessageBytes } = FIXED_LIMITS;
        const { connect } = await holding(new MessageBudget((most + 1) * heldMessageBytes), {
          sockets: { message: (_, message) => message.release() },
        });
        for (let round = 0; round < 3; round += 1) {
          const greedy = await connect();
          for (let sent = 0; sent < 3 * most; sent += 1) greedy.send('x');
          expect((await ended(greedy))[1]).toContain('webSocketWaitingMessages');
        }
      });

      it('are not accepted after the end of their socket', async () => {
        const seen: string[] = [];
        const { connect } = await holding(new MessageBudget(), {
          sockets: {
            message(socket, message) {
              seen.push(message.text());
              socket.end(1000, 'enough');
            },
          },
        });
        const client = await connect();
        for (const text of ['one', 'two', 'three']) client.send(text);
        expect([await ended(client), seen]).toEqual([[1000, 'enough'], ['one']]);
      });
    });

    it('carries a message of 5 MiB both ways', async () => {
      const size = 5 * 1024 * 1024;
      const { port } = await start({
        limits: { ...LIMITS, messageBytes: size },
        sockets: { message: (socket, message) => sendBack(socket, message) },
      });
      const client = new WebSocket(`ws://127.0.0.1:${port}/`);
      await once(client, 'open');
      client.send('z'.repeat(size));
      const [echo] = await once(client, 'message');
      expect(String(echo).length).toBe(size);
      client.terminate();
    });

    it('serves ordinary requests and websockets on the same path, also on /', async () => {
      const { port, url } = await start({ sockets: { open: (socket) => void socket.send(socket.head.path) } });
      const client = new WebSocket(`ws://127.0.0.1:${port}/`);
      const [hello] = await once(client, 'message');
      expect([String(hello), await (await fetch(`${url}/`, { method: 'POST', body: '{}' })).text()]).toEqual([
        '/',
        'ok',
      ]);
      client.terminate();
    });

    describe('a streamed answer', () => {
      const PIECE = 1024 * 1024;
      /** Pieces with different bytes; after `pieces` of them `last` decides what comes. */
      const made = (pieces: number, last: 'end' | 'failure' | 'silence' = 'end') => {
        const state = { taken: 0, ended: deferred<void>() };
        const stream = {
          next: (): Promise<Uint8Array | undefined> => {
            if (state.taken < pieces) return Promise.resolve(new Uint8Array(PIECE).fill((state.taken += 1)));
            if (last === 'silence') return new Promise(() => undefined);
            return last === 'end' ? Promise.resolve(undefined) : Promise.reject(new Error('no more'));
          },
          end: () => state.ended.resolve(),
        };
        return { state, http: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, stream }) };
      };

      it.each([0, 1, 12])('arrives whole, in %i pieces, and the connection is reused', async (pieces) => {
        const { http, state } = made(pieces);
        const { url } = await start({ http });
        for (const _ of [1, 2]) {
          state.taken = 0;
          const answer = await fetch(url, { method: 'POST', body: '{}' });
          expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain']);
          const body = Buffer.from(await answer.arrayBuffer());
          expect(body.length).toBe(pieces * PIECE);
          for (let piece = 0; piece < pieces; piece += 1)
            expect(body.subarray(piece * PIECE, (piece + 1) * PIECE).every((byte) => byte === piece + 1)).toBe(true);
        }
      });

      it('has only headers for HEAD', async () => {
        const { http, state } = made(3);
        const { url } = await start({ http });
        expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
        await state.ended.promise;
        expect(state.taken).toBe(0);
      });

      it('is cut off when it fails', async () => {
        const { url } = await start({ http: made(2, 'failure').http });
        const answer = await fetch(url, { method: 'POST', body: '{}' });
        await expect(answer.arrayBuffer()).rejects.toThrow();
        expect(defects).toEqual([]);
      });

      it('stops when its client disconnects, even while no piece is being made', async () => {
        for (const { http, state } of [made(1_000), made(3, 'silence')]) {
          const { port } = await start({ http });
          const client = connect(port, '127.0.0.1');
          client.on('error', () => undefined);
          client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
          await once(client, 'data');
          client.destroy();
          await state.ended.promise;
          expect(state.taken).toBeLessThan(1_000);
        }
      });

      it('waits for a client that does not read, with few pieces, and cuts it off when it takes nothing', async () => {
        const timers = handTimers();
        const { http, state } = made(1_000);
        const { port } = await start({ http, timers });
        const client = connect(port, '127.0.0.1');
        client.on('error', () => undefined);
        client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
        client.pause();
        // The kernel takes several MiB for a client before it is full.
        while (![...timers.lengths.values()].includes(10_000)) await timers.yield();
        const taken = state.taken;
        for (let turn = 0; turn < 100; turn += 1) await timers.yield();
        expect(state.taken - taken).toBeLessThan(3);
        timers.fire(10_000);
        await state.ended.promise;
        expect(state.taken).toBeLessThan(100);
        client.destroy();
      });
    });

    describe('a websocket client that does not read', () => {
      const STALL = 10_000;
      /** A paused client whose server has met a full kernel; `received` counts what it reads later. */
      const stalled = async (sockets: Partial<WebSocketHandler>) => {
        const timers = handTimers();
        const full = deferred<void>();
        let sent = 0;
        const { port } = await start({
          timers,
          sockets: {
            ...sockets,
            message: (socket) => {
              for (let outcome = ''; outcome !== 'buffered'; sent += 1) outcome = socket.send('y'.repeat(64 * 1024));
              full.resolve();
            },
          },
        });
        const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
        const received: string[] = [];
        client.on('message', (data: Buffer) => received.push(data.toString('utf8')));
        await once(client, 'open');
        client.pause();
        client.send('go');
        await full.promise;
        return { timers, client, received, sent: () => sent };
      };

      it('is closed with 1013 and a reason after 10 s, after all pending messages', async () => {
        const { timers, client, received, sent } = await stalled({});
        timers.fire(STALL);
        client.resume();
        const [code, reason] = await once(client, 'close');
        expect([code, String(reason), received.length]).toEqual([1013, 'slow client', sent()]);
      });

      it('receives the last message of the adapter, if it has one', async () => {
        const { timers, client, received } = await stalled({
          stalled: (socket) => {
            socket.send('canceled');
            socket.end(1013, 'too slow for me');
          },
        });
        timers.fire(STALL);
        client.resume();
        const [, reason] = await once(client, 'close');
        expect([received.at(-1), String(reason)]).toEqual(['canceled', 'too slow for me']);
      });

      it('is left alone when it reads again in time', async () => {
        const drained = deferred<void>();
        const { timers, client } = await stalled({ drain: () => drained.resolve() });
        client.resume();
        await drained.promise;
        timers.fire(STALL);
        expect(client.readyState).toBe(WebSocket.OPEN);
        client.terminate();
      });
    });

    it.runIf(kind.name === 'node')(
      'cuts off a socket that did not answer the previous ping, and keeps one that did',
      async () => {
        const timers = handTimers();
        const { port } = await start({ timers, sockets: {} });
        const [mute, alive] = [
          new WebSocket(`ws://127.0.0.1:${port}/websocket`, { autoPong: false }),
          new WebSocket(`ws://127.0.0.1:${port}/websocket`),
        ];
        await Promise.all([once(mute, 'open'), once(alive, 'open')]);
        const tick = (): void => {
          const [[key, run] = []] = timers.due;
          if (key === undefined || run === undefined) throw new Error('no ping is due');
          timers.due.delete(key);
          run();
        };
        const pinged = Promise.all([once(mute, 'ping'), once(alive, 'ping')]);
        tick();
        await pinged;
        // Data that the client sends after its pong arrives after it.
        const echoed = once(alive, 'pong');
        alive.ping();
        await echoed;
        const again = once(alive, 'ping');
        tick();
        expect((await once(mute, 'close'))[0]).toBe(1006);
        await again;
        expect(alive.readyState).toBe(WebSocket.OPEN);
        alive.terminate();
      },
    );

    it.each([true, false])('leaves no timer when it closes, gracefully: %s', async (graceful) => {
      const timers = handTimers();
      const { server, url, port } = await start({ timers, limits: { ...LIMITS, limitLoopback: true }, sockets: {} });
      await fetch(url);
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(client, 'open');
      expect(timers.due.size).toBeGreaterThan(0);
      const closed = once(client, 'close');
      await server.close(graceful);
      await closed;
      expect(timers.due.size).toBe(0);
    });

    it('closes gracefully: answers open requests, ends websockets with 1001, accepts nothing new', async () => {
      const entered = deferred<void>();
      const gate = deferred<void>();
      const { server, url, port } = await start({
        http: async () => {
          entered.resolve();
          await gate.promise;
          return { status: 200, headers: {}, body: 'finished' };
        },
        sockets: {},
      });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(client, 'open');
      const ended = once(client, 'close');
      const pending = fetch(url).then((response) => response.text());
      await entered.promise;
      const closing = server.close(true);
      gate.resolve();
      expect(await pending).toBe('finished');
      expect((await ended)[0]).toBe(1001);
      await closing;
      await expect(fetch(url)).rejects.toThrow();
    });

    it('cuts everything when it is closed at once, also during a graceful close', async () => {
      const entered = deferred<void>();
      const { server, url } = await start({
        http: () => {
          entered.resolve();
          return new Promise(() => undefined);
        },
      });
      const pending = fetch(url).then(
        () => 'answered',
        () => 'cut',
      );
      await entered.promise;
      void server.close(true);
      await server.close(false);
      expect(await pending).toBe('cut');
    });
  });
}
