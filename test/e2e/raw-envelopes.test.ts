/**
 * Raw envelopes over both transports of a running daemon: ids byte by byte, versions, params, batches, malformed
 * bodies. Each is answered with the same bytes by HTTP and by a websocket.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';

const CHAIN = '"0x425d4"';
const error = (id: string, code: number, message: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
const result = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":${CHAIN}}`;
const call = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId","params":[]}`;
const PARSE_ERROR = error('null', -32_700, 'parse error');
const INVALID = (id = 'null'): string => error(id, -32_600, 'invalid request');

/** Requests and their answers; an empty string means no answer. */
type Envelope = readonly [sent: string, answer: string];

const IDS: readonly string[] = [
  ...['0', '-0', '1', '-1', '7', '00000001', '1.0', '1.5', '-1.5', '1e3', '1E3', '1e+3', '1e-3', '0.1', '1.50'],
  ...['2147483648', '4294967296', '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'],
  ...['18446744073709551615', '18446744073709551616', '123456789012345678901234567890', '1e400', '-1e400', '0e0'],
  ...['""', '" "', '"a"', '"A-1"', '"0"', '"1"', '"null"', '"é"', '"日本"', '"😀"', '"\u2028"', '"\u007f"', '"a b"'],
  ...['"\\u0041"', '"\\u00e9"', '"\\n"', '"\\t"', '"\\\\"', '"\\""', '"\\/"', '"/"', '"\\ud83d\\ude00"', '"\\u0000"'],
  ...['"{}"', '"[]"', '"id"', '"\\"id\\":5"', '"id:5"', '"}"', '"{"', '","', `"${'x'.repeat(1_000)}"`, 'null', 'true'],
].filter((id) => id !== '00000001');

const ids: readonly Envelope[] = IDS.flatMap((id): readonly Envelope[] => [
  [call(id), result(id)],
  [`{ "method" : "eth_chainId" ,\n\t"id" : ${id} , "jsonrpc" : "2.0" }`, result(id)],
  [`[${call('1')},${call(id)}]`, `[${result('1')},${result(id)}]`],
]);

const NO_IDS: readonly Envelope[] = ['{}', '[]', '[1]', '{"id":1}'].map((id) => [call(id), INVALID()]);

const forms: readonly Envelope[] = [
  ['{"id":1,"method":"eth_chainId"}', result('1')],
  ['{"id":1,"method":"eth_chainId","params":null}', result('1')],
  ...['"1.0"', '"2"', '2', '2.0', 'null', '{}', '[]', 'true', '""'].map((version): Envelope => [
    `{"jsonrpc":${version},"id":1,"method":"eth_chainId"}`,
    INVALID('1'),
  ]),
  ...['{}', '"x"', '1', 'true', '{"a":[]}'].map((params): Envelope => [
    `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${params}}`,
    error('1', -32_602, 'non-array args'),
  ]),
  ...['[1]', '[null]', '[[]]', '[{},{}]'].map((params): Envelope => [
    `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${params}}`,
    error('1', -32_602, 'too many arguments, want at most 0'),
  ]),
  ...['5', 'null', '""', '{}', '[]', 'true'].map((method): Envelope => [
    `{"jsonrpc":"2.0","id":1,"method":${method}}`,
    INVALID('1'),
  ]),
  ...['eth_nope', 'constructor', '__proto__', 'toString', 'eth_', '_', 'ETH_CHAINID', 'eth_chainId '].map(
    (method): Envelope => [
      `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}}`,
      error('1', -32_601, `the method ${method} does not exist/is not available`),
    ],
  ),
  ['{"jsonrpc":"2.0","id":1}', INVALID('1')],
  ['{"jsonrpc":"2.0","id":1,"result":5}', INVALID('1')],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', INVALID('1')],
  ['{"jsonrpc":"2.0","method":"eth_chainId"}', ''],
  ['{"jsonrpc":"2.0","method":"eth_nope"}', ''],
  ['{}', INVALID()],
  ['{"id":1,"id":2,"method":"eth_chainId"}', result('2')],
  ['{"id":2,"method":"eth_nope","method":"eth_chainId"}', result('2')],
  ['{"id":1,"method":"eth_chainId","more":{"deep":[1,2,{"id":3}]}}', result('1')],
];

const NOTE = '{"jsonrpc":"2.0","method":"eth_chainId"}';
const { ethBatchRequests } = DEFAULT_LIMITS;
const many = (count: number): string => `[${Array.from({ length: count }, (_, at) => call(String(at))).join(',')}]`;
const batches: readonly Envelope[] = [
  ['[]', error('null', -32_600, 'empty batch')],
  [' [ ] ', error('null', -32_600, 'empty batch')],
  ...['1', 'null', '"x"', '{}', '[]', '[[]]', 'true'].map((member): Envelope => [`[${member}]`, `[${INVALID()}]`]),
  ['[1,2,3]', `[${INVALID()},${INVALID()},${INVALID()}]`],
  [`[${call('1')}]`, `[${result('1')}]`],
  [`[${NOTE}]`, ''],
  [`[${NOTE},${NOTE}]`, ''],
  [`[${NOTE},${call('"a"')},${NOTE}]`, `[${result('"a"')}]`],
  [`[${call('1')},5,${call('2')}]`, `[${result('1')},${INVALID()},${result('2')}]`],
  [`[[${call('1')}]]`, `[${INVALID()}]`],
  [many(10), `[${Array.from({ length: 10 }, (_, at) => result(String(at))).join(',')}]`],
  [many(ethBatchRequests), `[${Array.from({ length: ethBatchRequests }, (_, at) => result(String(at))).join(',')}]`],
  [many(ethBatchRequests + 1), `[${error('0', -32_600, 'batch too large')}]`],
];

const WHOLE = call('1');
const malformed: readonly Envelope[] = [
  ...Array.from({ length: WHOLE.length - 1 }, (_, at): Envelope => [WHOLE.slice(0, at + 1), PARSE_ERROR]),
  ...[
    `${WHOLE}x`,
    `${WHOLE} {}`,
    `${WHOLE},`,
    `x${WHOLE}`,
    `\ufeff${WHOLE}`,
    `[${WHOLE}`,
    `${WHOLE}]`,
    `[${WHOLE},]`,
  ].map((body): Envelope => [body, PARSE_ERROR]),
  ...[
    "{'id':1}",
    '{id:1}',
    'undefined',
    'NaN',
    '+1',
    '01',
    '.5',
    '5.',
    '1e',
    '"',
    '"\\x"',
    '"\\u12"',
    '"\n"',
    '\u0000',
  ].map((body): Envelope => [body, PARSE_ERROR]),
  ...['1', '-1', 'true', 'false', 'null', '"x"', '""', '1.5'].map((body): Envelope => [body, INVALID()]),
  ['['.repeat(200), PARSE_ERROR],
  [`${'['.repeat(33)}${']'.repeat(33)}`, PARSE_ERROR],
];

const ENVELOPES = [...ids, ...NO_IDS, ...forms, ...batches, ...malformed];

let daemon: DaemonProcess;
beforeAll(async () => {
  daemon = await startDaemonProcess({ args: ['--ephemeral'] });
});
afterAll(async () => void (await daemon.kill('SIGTERM')));

const overHttp = async (body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const answer = await fetch(daemon.endpoints.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return `${answer.status} ${await answer.text()}`;
};

it('the table has at least 300 different envelopes', () => {
  expect(ENVELOPES.length).toBeGreaterThanOrEqual(300);
  expect(new Set(ENVELOPES.map(([sent]) => sent)).size).toBe(ENVELOPES.length);
});

it('HTTP answers each envelope with the expected bytes', async () => {
  const answered: Envelope[] = [];
  for (const [sent] of ENVELOPES) answered.push([sent, await overHttp(sent)]);
  expect(answered).toEqual(ENVELOPES.map(([sent, answer]) => [sent, `200 ${answer}`]));
});

it('a websocket answers each envelope with the same bytes, and stays open', async () => {
  const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
  await once(socket, 'open');
  const ask = async (sent: string): Promise<string> => {
    const next = once(socket, 'message') as Promise<[Buffer]>;
    socket.send(sent);
    return (await next)[0].toString();
  };
  const answered: Envelope[] = [];
  for (const [sent, answer] of ENVELOPES) {
    // a request without an answer is followed by a call, whose answer comes next
    if (answer === '') socket.send(sent);
    const [asked, due] = answer === '' ? [call('"next"'), result('"next"')] : [sent, answer];
    const came = await ask(asked);
    answered.push([sent, came === due ? answer : came]);
  }
  expect(answered).toEqual(ENVELOPES);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.terminate();
});

it('bytes that are not UTF-8, and bodies and frames that are too large, are refused', async () => {
  const { httpBodyBytes } = DEFAULT_LIMITS;
  const broken = Buffer.concat([Buffer.from('{"id":1,"method":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  const answer = await fetch(daemon.endpoints.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: broken,
  });
  expect(await answer.text()).toBe(error('1', -32_601, 'the method \ufffd\ufffd does not exist/is not available'));
  const large = `{"id":1,"method":"eth_chainId"}${' '.repeat(httpBodyBytes)}`;
  const { hostname, port } = new URL(daemon.endpoints.eth_http ?? '');
  const client = connect(Number(port), hostname);
  client.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`);
  client.write(`Content-Length: ${large.length}\r\n\r\n${large}`);
  const [head] = (await once(client, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 413 /);
  client.destroy();
  for (const message of [large, Buffer.from(large)]) {
    const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[number]>;
    socket.send(message);
    expect((await closed)[0]).toBe(1009);
  }
  expect(await overHttp(call('1'))).toBe(`200 ${result('1')}`);
});

it('2,000 calls at once on one websocket are all answered, including calls that queue for a thread', async () => {
  const CALLS = 2_000;
  const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
  await once(socket, 'open');
  const answered = new Set<number>();
  const ended = new Promise<string>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { id, result: value }: { readonly id: number; readonly result: string } = JSON.parse(data.toString());
      if (value === '0x') answered.add(id);
      if (answered.size === CALLS) resolve('all answered');
    });
    socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()} after ${answered.size}`));
  });
  const params = [{ to: `0x${'12'.repeat(20)}`, data: '0x01' }, 'latest'];
  for (let id = 0; id < CALLS; id += 1) socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params }));
  expect(await ended).toBe('all answered');
  socket.terminate();
});

it('1,500 calls at once over HTTP are all answered', async () => {
  const params = [{ to: `0x${'12'.repeat(20)}`, data: '0x01' }, 'latest'];
  const answers = await Promise.all(
    Array.from({ length: 1_500 }, (_, id) =>
      overHttp(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params })),
    ),
  );
  expect(answers.filter((answer) => !answer.endsWith('"result":"0x"}'))).toEqual([]);
});

it('one subscription too many on a connection is refused with the name of the limit; the others stay', async () => {
  const { ethSubscriptionsPerClient: most } = DEFAULT_LIMITS;
  const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
  await once(socket, 'open');
  const answers: string[] = [];
  const asked = most + 2;
  const all = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => {
      if (!data.toString().includes('"id":')) return;
      if (answers.push(data.toString()) === asked) resolve();
    }),
  );
  for (let id = 1; id < asked; id += 1)
    socket.send(`{"jsonrpc":"2.0","id":${id},"method":"eth_subscribe","params":["logs",{}]}`);
  socket.send(call('"last"'));
  await all;
  const refusal = `too many subscriptions: limit ethSubscriptionsPerClient (${most}) exceeded`;
  expect(answers.at(-2)).toBe(error(String(most + 1), -32_000, refusal));
  expect(answers.at(-1)).toBe(result('"last"'));
  expect(answers.filter((text) => text.includes('"result":"0x')).length).toBe(most + 1);
  socket.terminate();
});

it('a program whose Origin header is its name is not refused as a web page', async () => {
  expect(await overHttp(call('1'), { origin: 'Titanoboa' })).toMatch(/^200 /);
});

it.each([
  'https://evil.example',
  'http://evil.example:8545',
  'http://localhost.evil.example',
  'null',
  'file://',
  'x:y',
])('a web page of %s is refused on both transports', async (origin) => {
  expect(await overHttp(call('1'), { origin })).toMatch(/^403 /);
  for (const url of [daemon.endpoints.eth_ws ?? '', (daemon.endpoints.eth_http ?? '').replace('http', 'ws')]) {
    const socket = new WebSocket(url, { origin });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { readonly statusCode: number }];
    expect(response.statusCode).toBe(403);
    socket.terminate();
  }
});
