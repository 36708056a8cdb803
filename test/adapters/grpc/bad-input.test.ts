/**
 * Input of attackers and broken clients: the answers are gRPC codes with grpc-go's texts, and never a stack, a path or
 * a stall.
 */
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { onTestFinished, describe, expect, it } from 'vitest';
import { Server, status } from '@grpc/grpc-js';
import { boundRequests } from '../../../src/adapters/grpc/request-budget.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { openClient, rawCall, Reflected } from './reflected-client.js';
import { serveSmall } from './support.js';

const BALANCE = '/cosmos.bank.v1beta1.Query/Balance';
const NOTHING = new Uint8Array();
const answers = (value: Uint8Array) => ({
  query: () => Promise.resolve({ ok: true as const, value: { ok: true as const, value } }),
});

describe('unknown gRPC services and methods', () => {
  it.each([
    ['/nope.Service/Nope', 'unknown service nope.Service'],
    ['/cosmos.bank.v1beta1.Query/Nope', 'unknown method Nope for service cosmos.bank.v1beta1.Query'],
    ['/cosmos.bank.v1beta1.Query/Params', 'unknown method Params for service cosmos.bank.v1beta1.Query'],
    ['/cosmos.bank.v1beta1.Msg/Send', 'unknown service cosmos.bank.v1beta1.Msg'],
    ['/cosmos.staking.v1beta1.Query/Pool', 'unknown service cosmos.staking.v1beta1.Query'],
    ['/', 'malformed method name: "/"'],
    [`/${'x'.repeat(5_000)}/y`, `unknown service ${'x'.repeat(256)}`],
  ])('%s', async (path, details) => {
    const { client } = await serveSmall();
    expect((await rawCall(client, path, NOTHING)).error).toMatchObject({ code: status.UNIMPLEMENTED, details });
  });

  it('reflection answers which symbol it does not know, and continues', async () => {
    const { client } = await serveSmall();
    const reflected = new Reflected(client, 'v1');
    expect(await reflected.files('nope.Nope')).toBeUndefined();
    expect((await reflected.files('cosmos.bank.v1beta1.Query'))?.getService('cosmos.bank.v1beta1.Query')).toBeDefined();
    reflected.close();
  });
});

describe('height metadata', () => {
  it.each([
    ['-1', 'codespace sdk code 18: invalid request: cannot query with height < 0; please provide a valid height'],
    [
      '8',
      'codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height',
    ],
    [
      'abc',
      'codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "x-cosmos-block-height": strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [
      '9223372036854775808',
      'codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "x-cosmos-block-height": strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    [
      '0x5',
      'codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "x-cosmos-block-height": strconv.ParseInt: parsing "0x5": invalid syntax',
    ],
  ])('%s is refused', async (height, details) => {
    const { client } = await serveSmall(answers(NOTHING));
    const { error, header } = await rawCall(client, BALANCE, NOTHING, { 'x-cosmos-block-height': height });
    expect(error).toMatchObject({ code: status.UNKNOWN, details });
    expect(header.get('x-cosmos-block-height')).toEqual([]);
  });

  it('a pruned height is refused in the words of the SDK', async () => {
    const { client } = await serveSmall({
      query: (_path, _data, height) =>
        Promise.resolve({ ok: false, error: { code: 'state-pruned', height, lowest: 5n } }),
    });
    const { error } = await rawCall(client, BALANCE, NOTHING, { 'x-cosmos-block-height': '2' });
    expect(error).toMatchObject({
      code: status.UNKNOWN,
      details:
        'codespace sdk code 38: not found: failed to load state at height 2; ' +
        'version mismatch on immutable IAVL tree; version does not exist. ' +
        'Version has either been pruned, or is for a future block height (latest height: 7)',
    });
  });
});

describe('gRPC messages', () => {
  it('a request that cannot be decoded is refused', async () => {
    const { client } = await serveSmall();
    const { error } = await rawCall(client, '/cosmos.tx.v1beta1.Service/GetTx', Uint8Array.of(0x0a, 0x05, 0x41));
    expect(error).toMatchObject({
      code: status.INTERNAL,
      details: 'grpc: error unmarshalling request: cannot decode cosmos.tx.v1beta1.GetTxRequest',
    });
  });

  it('a request may be as large as the limit, and not larger', async () => {
    const { client } = await serveSmall(answers(NOTHING), { grpcRequestBytes: 1_000 });
    expect((await rawCall(client, BALANCE, new Uint8Array(1_000))).error).toBeUndefined();
    expect((await rawCall(client, BALANCE, new Uint8Array(1_001))).error).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining('1001'),
    });
  });

  it('an answer above the limit is an error', async () => {
    const { client } = await serveSmall(answers(new Uint8Array(1_001)), { grpcAnswerBytes: 1_000 });
    expect((await rawCall(client, BALANCE, NOTHING)).error).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  it('an error text is truncated to what a trailer can carry, whatever its characters', async () => {
    const { client } = await serveSmall(
      {
        query: () =>
          Promise.resolve({
            ok: true,
            value: { ok: false, code: 1, codespace: 'undefined', log: `${'a'.repeat(99)}\u{1f600}%25\n` },
          }),
      },
      { grpcErrorText: 100 },
    );
    expect((await rawCall(client, BALANCE, NOTHING)).error).toMatchObject({
      code: status.UNKNOWN,
      details: `${'a'.repeat(99)}\ufffd...`,
    });
  });

  it('a defect reveals nothing to the client and is logged', async () => {
    const { client, defects } = await serveSmall({
      query: () => Promise.reject(new Error('secret in /some/where.ts:3')),
    });
    expect((await rawCall(client, BALANCE, NOTHING)).error).toMatchObject({
      code: status.INTERNAL,
      details: 'internal error',
    });
    expect(defects).toHaveLength(1);
  });

  it('a deadline ends a call whose answer does not come', async () => {
    const { client } = await serveSmall({ query: () => new Promise(() => undefined) });
    expect((await rawCall(client, BALANCE, NOTHING, {}, { deadline: Date.now() + 30 })).error).toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    });
  });
});

describe('HTTP/2 frames', () => {
  /** Sends one request as raw HTTP/2 streams; resolves with status headers and trailers. */
  async function request(
    port: number,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
  ): Promise<Readonly<Record<string, unknown>>> {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    return new Promise((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({
        ':method': 'POST',
        ':path': BALANCE,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      });
      let seen: Readonly<Record<string, unknown>> = {};
      stream.on('response', (received) => (seen = { ...seen, ...received }));
      stream.on('trailers', (received) => (seen = { ...seen, ...received }));
      stream.on('error', () => resolve({ ...seen, reset: stream.rstCode }));
      stream.on('close', () =>
        resolve({ ...seen, ...(stream.rstCode !== constants.NGHTTP2_NO_ERROR && { reset: stream.rstCode }) }),
      );
      stream.resume();
      stream.end(body);
    });
  }

  const framed = (length: number, bytes: readonly number[], compressed = 0): Uint8Array =>
    Uint8Array.from([compressed, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...bytes]);

  it.each([
    ['another content type', { 'content-type': 'text/plain' }, framed(0, []), { ':status': 415 }],
    ['a message that ends early', {}, framed(9, [1, 2]), { 'grpc-status': expect.not.stringMatching(/^0$/) }],
    ['no message', {}, new Uint8Array(), { 'grpc-status': expect.not.stringMatching(/^0$/) }],
    ['a length of 4 GiB', {}, framed(0xffff_ffff, []), { 'grpc-status': String(status.RESOURCE_EXHAUSTED) }],
    [
      'compressed garbage',
      { 'grpc-encoding': 'gzip' },
      framed(3, [1, 2, 3], 1),
      { 'grpc-status': expect.not.stringMatching(/^0$/) },
    ],
    [
      'an unknown compression',
      { 'grpc-encoding': 'lzma' },
      framed(3, [1, 2, 3], 1),
      { 'grpc-status': String(status.UNIMPLEMENTED) },
    ],
    [
      'a deadline that is none',
      { 'grpc-timeout': 'soon' },
      framed(0, []),
      { 'grpc-status': expect.not.stringMatching(/^0$/) },
    ],
  ])('%s', async (_name, headers, body, expected) => {
    const { port, client, defects } = await serveSmall(answers(NOTHING));
    expect(await request(port, headers, body)).toMatchObject(expected);
    expect((await rawCall(client, BALANCE, NOTHING)).error).toBeUndefined();
    expect(defects).toEqual([]);
  });

  it('bytes that are not HTTP/2 end only their own connection', async () => {
    const { port, client } = await serveSmall(answers(NOTHING));
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await rawCall(client, BALANCE, NOTHING)).error).toBeUndefined();
  });

  it('concurrent calls of a connection are limited, and the others wait for their turn', async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const { client } = await serveSmall(
      {
        query: async () => {
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 2) for (const go of waiting.splice(0)) go();
          });
          running--;
          return { ok: true, value: { ok: true, value: NOTHING } };
        },
      },
      { grpcStreams: 2 },
    );
    await new Promise<void>((resolve) => {
      client.waitForReady(Date.now() + 10_000, () => resolve());
    });
    const done = await Promise.all(Array.from({ length: 8 }, () => rawCall(client, BALANCE, NOTHING)));
    expect(done.map(({ error }) => error)).toEqual(done.map(() => undefined));
    expect(most).toBe(2);
  });

  it('unfinished requests are limited in bytes, which are released with their connection', async () => {
    const { port, client } = await serveSmall(answers(NOTHING), { pendingBodyBytes: 100_000 });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on('error', () => undefined);
    onTestFinished(() => session.destroy());
    const half = (bytes: number): Promise<number> =>
      new Promise((resolve) => {
        const stream = session.request({
          ':method': 'POST',
          ':path': BALANCE,
          'content-type': 'application/grpc',
          te: 'trailers',
        });
        stream.on('error', () => undefined);
        stream.on('close', () => resolve(stream.rstCode ?? 0));
        stream.resume();
        stream.write(Buffer.concat([framed(1_000_000, []), Buffer.alloc(bytes)]));
      });
    const first = half(60_000);
    expect(await half(60_000)).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect((await rawCall(client, BALANCE, new Uint8Array(1_000))).error).toBeUndefined();
    session.destroy();
    await first;
    // The server notices it at some later time; the test's own timeout limits the wait.
    for (let left: unknown = first; left !== undefined;)
      left = (await rawCall(client, BALANCE, new Uint8Array(90_000))).error;
  });

  it('a call whose request stops is cut, and a call that waits for its answer is not', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const { port, client } = await serveSmall(
      {
        query: async () => {
          await asked;
          return { ok: true, value: { ok: true, value: NOTHING } };
        },
      },
      { grpcSilenceMs: 50 },
    );
    const waiting = rawCall(client, BALANCE, NOTHING);
    await new Promise<void>((resolve) => {
      client.waitForReady(Date.now() + 10_000, () => resolve());
    });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    const silent = session.request({
      ':method': 'POST',
      ':path': BALANCE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    silent.on('error', () => undefined);
    silent.write(framed(9, [1, 2]));
    expect(await new Promise((resolve) => silent.on('close', () => resolve(silent.rstCode)))).toBe(
      constants.NGHTTP2_CANCEL,
    );
    answer();
    expect((await waiting).error).toBeUndefined();
  });

  it('a server whose streams cannot be limited is refused', () => {
    expect(() => boundRequests(new Server(), DEFAULT_LIMITS)).toThrow('HTTP/2 servers');
  });

  it('bytes that arrive before the methods are loaded are kept', async () => {
    let load = (): void => undefined;
    const { port } = await serveSmall(answers(NOTHING), {}, new Promise<void>((resolve) => (load = resolve)));
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ':method': 'POST',
      ':path': BALANCE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const answered = new Promise((resolve, reject) => {
      stream.on('trailers', resolve);
      stream.on('error', reject);
      session.on('error', reject);
    });
    stream.resume();
    await new Promise<void>((resolve) => stream.end(framed(0, []), () => resolve()));
    // The kernel has the bytes: a reader of them would act in these turns.
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    load();
    expect(await answered).toMatchObject({ 'grpc-status': '0' });
  });

  it('a stream of many requests is cut when it has sent twice the size of the largest message', async () => {
    const { client } = await serveSmall({}, { grpcRequestBytes: 1_000 });
    const stream = client.makeBidiStreamRequest(
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
    );
    const ended = new Promise<number>((resolve) => stream.on('error', ({ code }: { code: number }) => resolve(code)));
    stream.on('data', () => stream.write(Buffer.from([0x3a, 0x00])));
    stream.write(Buffer.from([0x3a, 0x00]));
    expect(await ended).toBe(status.RESOURCE_EXHAUSTED);
  });

  it('connections above the limit are closed, and the others continue', async () => {
    const { port, client } = await serveSmall(answers(NOTHING), { connections: 1 });
    expect((await rawCall(client, BALANCE, NOTHING)).error).toBeUndefined();
    const second = openClient(port);
    onTestFinished(() => second.close());
    expect((await rawCall(second, BALANCE, NOTHING)).error).toMatchObject({ code: status.UNAVAILABLE });
    expect((await rawCall(client, BALANCE, NOTHING)).error).toBeUndefined();
  });
});
