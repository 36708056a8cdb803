/**
 * Broken input on every face of a running daemon: no answer reveals the node's internals, no input stops it, and no
 * input counts as a defect.
 */
import { connect } from 'node:net';
import WebSocket from 'ws';
import { credentials, Client, Metadata } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { getJson, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';

let daemon: DaemonProcess;
let home: string;

beforeAll(async () => {
  home = temporaryFolder();
  daemon = await startDaemonProcess({ home });
});

/** Checks after each kind of garbage that every face still answers and that the log reports no defect. */
afterEach(async () => {
  expect(await latestHeight(daemon.endpoints.comet)).toBeGreaterThan(0);
  expect(await callEthereum(daemon.endpoints.eth_http ?? '', 'eth_chainId')).toBe('0x425d4');
  expect(await getJson(daemon.endpoints.rest ?? '', '/sdk/upgrade/v1beta1/current_plan')).toEqual({ plan: null });
  expect(await grpc('/sdk.upgrade.v1beta1.Query/CurrentPlan', Buffer.alloc(0))).toMatch(/^0 /);
  expect(await socketAnswer(daemon.endpoints.eth_ws ?? '', '{"id":1,"method":"eth_chainId"}')).toContain('0x425d4');
  expect(daemon.stderr()).not.toContain('a handler failed');
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** Expects an answer without source file names, source lines or paths of this machine. */
function expectNeutral(answer: string, what: string): void {
  for (const secret of [process.cwd(), home, 'node_modules', 'node:internal', 'file://', '/dist/'])
    expect(answer, what).not.toContain(secret);
  expect(answer, what).not.toMatch(
    /\n\s+at |\.[cm]?[jt]s:\d+|\b(TypeError|RangeError|SyntaxError|ReferenceError|AssertionError)\b/,
  );
}

/** Status code and message of a gRPC call. */
function grpc(path: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const client = new Client(daemon.endpoints.grpc ?? '', credentials.createInsecure());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return new Promise((resolve) => {
    const asIs = (one: Buffer): Buffer => one;
    client.makeUnaryRequest(path, asIs, asIs, bytes, metadata, (error, answer) => {
      client.close();
      resolve(error === null ? `0 ${answer?.toString('latin1')}` : `${error.code} ${error.details}`);
    });
  });
}

/**
 * Frame type, flags and stream of HTTP/2's GOAWAY: an error of the connection, after which it may stay open a while
 * (RFC 9113 6.8).
 */
const GOAWAY = '\x07\0\0\0\0\0';

/**
 * Writes bytes to a port and ends its side; resolves with the answer, when the node ends the connection or says that it
 * will.
 */
function raw(address: string, bytes: Buffer | string): Promise<string> {
  const { hostname, port } = new URL(address.includes('://') ? address : `http://${address}`);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (text.includes(GOAWAY)) socket.destroy();
    });
    // The node may reset a connection that it refuses.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** The first answer to a message, or the close code of the connection. */
function socketAnswer(url: string, data: string | Buffer, binary = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const end = (text: string): void => {
      resolve(text);
      socket.terminate();
    };
    socket.on('open', () => socket.send(data, { binary }));
    socket.on('message', (message: Buffer) => end(message.toString()));
    socket.on('close', (code, reason) => end(`closed ${code} ${reason.toString()}`));
    socket.on('error', (error) => end(`error ${error.message}`));
  });
}

const DEEP = 100_000;
const HUGE = '9'.repeat(5_000);
const BODIES: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['no JSON', 'hello'],
  ['half of an object', '{"jsonrpc":"2.0","id":1,"method":"status"'],
  ['a number', '42'],
  ['null', 'null'],
  ['an empty batch', '[]'],
  ['a batch of nonsense', '[1,null,"x",[],{}]'],
  ['deep arrays', '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['deep objects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
  ['deep params', `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`],
  ['params of the wrong kind', '{"jsonrpc":"2.0","id":1,"method":"block","params":"x"}'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"status","params":{}}'],
  ['a method that is an object', '{"jsonrpc":"2.0","id":1,"method":{"toString":1},"params":[]}'],
  [
    'names of prototypes',
    '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{"__proto__":{"a":1},"constructor":1}}',
  ],
  ['a method of every object', '{"jsonrpc":"2.0","id":1,"method":"toString","params":[]}'],
  ['huge numbers', `{"jsonrpc":"2.0","id":${HUGE},"method":"block","params":{"height":${HUGE}}}`],
  ['a huge height', `{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":"${HUGE}"}}`],
  ['a height that is a fraction', '{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":1e400}}'],
  ['a half surrogate', '{"jsonrpc":"2.0","id":1,"method":"\\ud800","params":["\\udfff"]}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x7d])],
  ['zero bytes', Buffer.alloc(4_096)],
  [
    'a path of this machine',
    '{"jsonrpc":"2.0","id":1,"method":"abci_query","params":{"path":"../../etc/passwd","data":"zz"}}',
  ],
  ['a query that is no query', `{"jsonrpc":"2.0","id":1,"method":"tx_search","params":{"query":"${'('.repeat(400)}"}}`],
  ['an argument too many', `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[${'1,'.repeat(2_000)}1]}`],
  [
    'an address that is none',
    '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[{"a":[]},{"blockHash":"0x"}]}',
  ],
  [
    'a filter of nonsense',
    '{"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":{},"topics":[[[[]]]],"address":7}]}',
  ],
];
const CONTENT_TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=',
  'application/grpc-web+proto',
  '\u00ff/;;;=',
];
const PATHS = [
  '/',
  '/nothing',
  '/block?height=abc',
  '/block?height=%ff%00',
  '/tx?hash=0xzz',
  '/abci_query?path=%22..%2F..%2F%22&data=0x1',
  '/..%2f..%2fetc/passwd',
  '/%00',
  '/websocket',
  '/sdk/upgrade/v1beta1/applied_plan/%ff',
  '/cosmos/bank/v1beta1/balances/%2e%2e',
  '/cosmos/tx/v1beta1/txs?query=%27',
  '/cosmos/base/tendermint/v1beta1/blocks/-1',
  `/${'a/'.repeat(2_000)}`,
  `/block?height=${HUGE}`,
];
const HTTP_FACES = ['comet', 'eth_http', 'eth_ws', 'rest', 'rest_alias', 'metrics'] as const;

function httpOf(face: (typeof HTTP_FACES)[number]): string {
  return (daemon.endpoints[face] ?? '').replace(/^ws/, 'http');
}

describe.each(HTTP_FACES)('%s over HTTP', (face) => {
  it('refuses broken bodies of any content type', async () => {
    for (const [what, body] of BODIES) {
      for (const type of what === 'nothing' || what === 'no JSON' ? CONTENT_TYPES : CONTENT_TYPES.slice(0, 2)) {
        for (const path of face.startsWith('rest')
          ? ['/cosmos/tx/v1beta1/simulate', '/cosmos/tx/v1beta1/txs']
          : ['/']) {
          const response = await fetch(httpOf(face) + path, {
            method: 'POST',
            headers: { 'content-type': type },
            body,
          });
          expectNeutral(await response.text(), `${what} as ${type}`);
        }
      }
    }
  });

  it('refuses unknown paths and methods', async () => {
    for (const path of PATHS) {
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) {
        const response = await fetch(httpOf(face) + path, { method });
        expectNeutral(await response.text(), `${method} ${path}`);
        expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(200);
      }
    }
  });

  it('closes connections that do not speak HTTP', async () => {
    for (const bytes of [
      'hello\r\n\r\n',
      '\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\nx',
      'POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: localhost\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      'GET / HTTP/1.1\r\nhost: \0\r\n\r\n',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 151 + 7) % 256)),
    ]) {
      expectNeutral(await raw(httpOf(face), bytes), JSON.stringify(bytes.toString('latin1').slice(0, 80)));
    }
  });
});

describe.each(['comet', 'eth_ws', 'eth_http'] as const)('%s over websocket', (face) => {
  const url = (): string =>
    `${(daemon.endpoints[face] ?? '').replace(/^http/, 'ws')}${face === 'comet' ? '/websocket' : '/'}`;

  it('answers frames that are not requests with an error, or closes the connection', async () => {
    for (const [what, body] of BODIES) {
      // A valid request follows, because some messages get no answer.
      const socket = new WebSocket(url());
      const answer = await new Promise<string>((resolve) => {
        socket.on('open', () => {
          socket.send(body, { binary: false });
          socket.send(
            face === 'comet'
              ? '{"jsonrpc":"2.0","id":"last","method":"health"}'
              : '{"jsonrpc":"2.0","id":"last","method":"eth_chainId"}',
          );
        });
        let text = '';
        socket.on('message', (data: Buffer) => {
          text += data.toString();
          if (text.includes('"last"')) resolve(text);
        });
        socket.on('close', (code, reason) => resolve(`${text} closed ${code} ${reason.toString()}`));
        socket.on('error', () => undefined);
      });
      socket.terminate();
      expectNeutral(answer, what);
    }
    expectNeutral(await socketAnswer(url(), Buffer.from([1, 2, 3, 255]), true), 'a binary message');
  });

  it('closes connections with broken frames', async () => {
    const handshake = `GET ${new URL(url()).pathname} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    for (const frame of [
      [0xff, 0xff, 0xff, 0xff],
      [0x81, 0x05, 0x68, 0x65],
      [0x83, 0x80, 0, 0, 0, 0],
      [0xf1, 0x80, 0, 0, 0, 0],
      [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0],
      [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
      [0x80, 0x81, 0, 0, 0, 0, 0x41],
      [0x88, 0x81, 0, 0, 0, 0, 0x41],
    ]) {
      const answer = await raw(httpOf(face), Buffer.concat([Buffer.from(handshake), Buffer.from(frame)]));
      expect(answer, frame.join(' ')).toMatch(/^HTTP\/1\.1 101 /);
      expectNeutral(answer, frame.join(' '));
    }
    expectNeutral(
      await raw(httpOf(face), handshake.replace('dGhlIHNhbXBsZSBub25jZQ==', 'x').replace('13', '99')),
      'a broken handshake',
    );
  });
});

describe('gRPC', () => {
  it('refuses bytes that are not a message, and unknown methods', async () => {
    for (const path of [
      '/sdk.upgrade.v1beta1.Query/AppliedPlan',
      '/cosmos.bank.v1beta1.Query/AllBalances',
      '/cosmos.tx.v1beta1.Service/BroadcastTx',
      '/cosmos.tx.v1beta1.Service/Simulate',
    ]) {
      for (const bytes of [
        Buffer.from([0xff]),
        Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        Buffer.alloc(1_000, 0x0b),
        Buffer.from([0x0a, 0x02, 0xff, 0xfe]),
        Buffer.alloc(50_000, 0x0a),
      ]) {
        expectNeutral(await grpc(path, bytes), path);
      }
    }
    for (const path of ['/nothing', '/a/b', '/sdk.upgrade.v1beta1.Query/__proto__', '/__proto__/constructor', '/../..'])
      expect(await grpc(path, Buffer.alloc(0)), path).toMatch(/^12 /);
    const wrong = await grpc('/sdk.upgrade.v1beta1.Query/CurrentPlan', Buffer.alloc(0), {
      'x-cosmos-block-height': 'abc',
      'grpc-timeout': 'zz',
    });
    expectNeutral(wrong, 'metadata');
  });

  it('closes connections that do not speak HTTP/2', async () => {
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
    for (const bytes of [
      'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n',
      'hello',
      Buffer.alloc(100_000, 0xff),
      `${preface}garbage garbage garbage`,
      Buffer.concat([Buffer.from(preface), Buffer.from([0xff, 0xff, 0xff, 0x04, 0, 0, 0, 0, 0])]),
      Buffer.concat([Buffer.from(preface), Buffer.from([0, 0, 4, 1, 5, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff])]),
      Buffer.concat([
        Buffer.from(preface),
        Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
        ...Array.from({ length: 500 }, () => Buffer.from([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])),
      ]),
    ]) {
      expectNeutral(await raw(daemon.endpoints.grpc ?? '', bytes), bytes.toString('latin1').slice(0, 60));
    }
  });
});
