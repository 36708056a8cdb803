/** What both transports promise (src/adapters/transport/server.ts): run once on each. */
import { once } from 'node:events';
import { connect, type Socket as TcpSocket } from 'node:net';
import { WebSocket } from 'ws';
import type { Timers } from '../../src/core/ports/time.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpHandler, HttpRequest, Server, ServerOptions, Socket, WebSocketHandler } from '../../src/adapters/transport/index.js';

export interface Kind {
  readonly name: 'uws' | 'node';
  create(options: ServerOptions): Promise<Server>;
}

const LIMITS = { bodyBytes: 1_000, messageBytes: 1_000, webSockets: 3 };
const OK: HttpHandler = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });
/** Timers whose time a test lets pass. */
function handTimers(): Timers & { readonly due: Map<object, () => void> } {
  const due = new Map<object, () => void>();
  return {
    due,
    after(_milliseconds, run) {
      const key = {};
      due.set(key, run);
      return () => due.delete(key);
    },
    yield: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const SILENT: WebSocketHandler = { open: () => undefined, message: () => undefined, drain: () => undefined, close: () => undefined };

/** A promise and the function that fulfils it. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Everything that a raw connection received until the other side closed it. */
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

    const start = async (options: Partial<ServerOptions> & { readonly sockets?: Partial<WebSocketHandler>; readonly refusePath?: string }): Promise<{ server: Server; port: number; url: string }> => {
      const server = await kind.create({
        http: options.http ?? OK,
        limits: options.limits ?? LIMITS,
        timers: options.timers ?? handTimers(),
        onDefect: (error) => defects.push(error),
        ...(options.tooLarge === undefined ? {} : { tooLarge: options.tooLarge }),
        ...(options.sockets === undefined
          ? {}
          : { webSocket: { handler: { ...SILENT, ...options.sockets }, refuse: (head) => (head.path === '/websocket' ? undefined : { status: 404, headers: {}, body: 'no such path' }) } }),
      });
      servers.push(server);
      const listened = await server.listen('127.0.0.1', 0);
      if (!listened.ok) throw new Error(`could not listen: ${listened.code}`);
      return { server, port: listened.port, url: `http://127.0.0.1:${listened.port}` };
    };

    it('is the kind that was asked for', async () => {
      expect((await start({})).server.kind).toBe(kind.name);
    });

    it('hands over method, path, query, headers and body, and answers with status, headers and body', async () => {
      const seen: HttpRequest[] = [];
      const { url } = await start({
        http: (request) => {
          seen.push(request);
          return { status: 418, headers: { 'x-answer': 'yes' }, body: new Uint8Array([104, 105]) };
        },
      });
      const response = await fetch(`${url}/a%20b?x=%221%22&y=`, { method: 'POST', headers: { 'X-Thing': 'Value' }, body: '{"a":"ü"}' });
      expect([response.status, response.headers.get('x-answer'), await response.text()]).toEqual([418, 'yes', 'hi']);
      const [request] = seen;
      expect([request?.method, request?.path, request?.query, request?.headers.get('x-thing')]).toEqual(['POST', '/a%20b', 'x=%221%22&y=', 'Value']);
      expect(new TextDecoder().decode(request?.body)).toBe('{"a":"ü"}');
    });

    it('gives an empty body and an empty query when there are none', async () => {
      const { url } = await start({ http: (request) => ({ status: 200, headers: {}, body: `${request.method} ${request.query.length} ${request.body.length}` }) });
      expect(await (await fetch(`${url}/`)).text()).toBe('GET 0 0');
    });

    it('waits for an answer that comes later', async () => {
      const { url } = await start({ http: async () => ({ status: 200, headers: {}, body: await Promise.resolve('later') }) });
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
      const { url, port } = await start({ http: (request) => ({ status: 200, headers: {}, body: String(request.body.length) }) });
      expect(await (await fetch(url, { method: 'POST', body: 'x'.repeat(1_000) })).text()).toBe('1000');

      const declared = connect(port, '127.0.0.1');
      declared.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n');
      expect(await untilClosed(declared)).toMatch(/^HTTP\/1\.1 413 /);

      const chunked = connect(port, '127.0.0.1');
      chunked.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}\r\n`);
      expect(await untilClosed(chunked)).toMatch(/^HTTP\/1\.1 413 /);
    });

    it('lets the adapter choose the answer to an oversized body', async () => {
      const { port } = await start({ tooLarge: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":1}' } });
      const socket = connect(port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":1\}$/);
    });

    it.each(['Host: b', 'Content-Length: 3', 'Origin: http://b'])('refuses a request with two of %s', async (line) => {
      const { port } = await start({});
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nContent-Length: 2\r\n${line}\r\nConnection: close\r\n\r\nab`);
      expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /);
    });

    it('survives a client that goes away before its answer', async () => {
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
      socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
      await entered.promise;
      socket.destroy();
      await once(socket, 'close');
      expect(await (await fetch(url)).text()).toBe('ok');
      gate.resolve();
      expect(await (await fetch(url)).text()).toBe('ok');
      expect(defects).toEqual([]);
    });

    it('tells that a port is in use, and the first server keeps all connections', async () => {
      const { port, url } = await start({});
      const second = await kind.create({ http: () => ({ status: 200, headers: {}, body: 'second' }), limits: LIMITS, timers: handTimers(), onDefect: () => undefined });
      servers.push(second);
      expect(await second.listen('127.0.0.1', port)).toEqual({ ok: false, code: 'E_PORT_IN_USE', host: '127.0.0.1', port });
      expect(await (await fetch(url)).text()).toBe('ok');
    });

    it('tells another reason why it cannot listen', async () => {
      const server = await kind.create({ http: OK, limits: LIMITS, timers: handTimers(), onDefect: () => undefined });
      servers.push(server);
      expect(await server.listen('203.0.113.1', 0)).toMatchObject({ ok: false, code: 'E_LISTEN_FAILED' });
    });

    it('carries websocket text both ways, corked or not, in order', async () => {
      const { port } = await start({
        sockets: {
          open: (socket) => socket.send('hello'),
          message: (socket, text) => {
            expect(socket.head.path).toBe('/websocket');
            socket.cork(() => {
              for (const word of [text, 'a', 'b']) socket.send(word);
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
      const { port } = await start({ sockets: { message: (_socket, text) => void seen.push(text) } });
      const client = new WebSocket(`ws://127.0.0.1:${port}/websocket`);
      await once(client, 'open');
      client.send('x'.repeat(1_001));
      const [code] = await once(client, 'close');
      expect([code, seen]).toEqual([1009, []]);
    });

    it('sends the code and reason of the server, tells its close once, and ignores later use', async () => {
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

    it('buffers for a reader that stalls, loses nothing, and tells when the buffer is empty', async () => {
      const line = 'y'.repeat(64 * 1024);
      const drained = deferred<void>();
      let sent = 0;
      const { port } = await start({
        sockets: {
          message: (socket) => {
            // the kernel takes some megabytes before the first backpressure
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

    it.runIf(kind.name === 'node')('cuts a socket that did not answer the previous ping, and keeps one that did', async () => {
      const timers = handTimers();
      const { port } = await start({ timers, sockets: {} });
      const [mute, alive] = [new WebSocket(`ws://127.0.0.1:${port}/websocket`, { autoPong: false }), new WebSocket(`ws://127.0.0.1:${port}/websocket`)];
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
      // what the client sends after its pong arrives after it
      const echoed = once(alive, 'pong');
      alive.ping();
      await echoed;
      const again = once(alive, 'ping');
      tick();
      expect((await once(mute, 'close'))[0]).toBe(1006);
      await again;
      expect(alive.readyState).toBe(WebSocket.OPEN);
      alive.terminate();
    });

    it('closes gracefully: answers what is under way, ends websockets with 1001, takes nothing new', async () => {
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
