/**
 * Frames of RFC 6455 that a client may send, right and wrong, against both transports. What a library does otherwise
 * than the RFC says is listed; a connection with a wrong frame ends in any case, or the frame does nothing.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from '../../../src/adapters/transport/index.js';
import { loadUws } from '../../../src/adapters/transport/uws-library.js';

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
const PROBE = Buffer.from('probe');
const BYTES = 1_000;

interface Frame {
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly opcode: number;
  readonly masked?: boolean;
  readonly payload?: Buffer;
  /** Bits of the length field; by default as few as the payload needs. */
  readonly form?: 7 | 16 | 64;
}

/** Frames, and what RFC 6455 requires: the connection lives, or ends with one of these codes. */
interface Case {
  readonly name: string;
  readonly frames: readonly Frame[];
  readonly expected: 'alive' | readonly number[];
}

function encoded({ fin = true, rsv = 0, opcode, masked = true, payload = Buffer.alloc(0), form }: Frame): Buffer {
  const { length } = payload;
  const bits = form ?? (length < 126 ? 7 : 16);
  const head = Buffer.alloc(bits === 7 ? 2 : bits === 16 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | (bits === 7 ? length : bits === 16 ? 126 : 127);
  if (bits === 16) head.writeUInt16BE(length, 2);
  if (bits === 64) head.writeBigUInt64BE(BigInt(length), 2);
  if (!masked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, MASK, payload.map((byte, at) => byte ^ (MASK[at % 4] ?? 0))]);
}

const PROTOCOL = [1002] as const;
const TEXT = Buffer.from('text');

/** Every opcode with each bit of the first two bytes, as the first frame of a connection. */
function heads(): readonly Case[] {
  const cases: Case[] = [];
  for (let opcode = 0; opcode < 16; opcode += 1)
    for (const fin of [true, false])
      for (const rsv of [0, 1, 2, 4])
        for (const masked of [true, false]) {
          const isControl = opcode === 9 || opcode === 10;
          const isSound = rsv === 0 && masked && (opcode === 1 || (fin && isControl) || opcode === 2);
          const isClose = rsv === 0 && masked && opcode === 8 && fin;
          // An unfinished text message is allowed: the probe is a control frame, which may come inside of it.
          cases.push({
            name: `opcode ${opcode}, fin ${fin}, rsv ${rsv}, masked ${masked}`,
            frames: [{ opcode, fin, rsv, masked, payload: isClose || opcode === 8 ? Buffer.from([3, 232]) : TEXT }],
            expected: isClose ? [1000] : isSound ? 'alive' : PROTOCOL,
          });
        }
  return cases;
}

const utf8 = (name: string, bytes: readonly number[]): Case => ({
  name: `invalid UTF-8: ${name}`,
  frames: [{ opcode: 1, payload: Buffer.from(bytes) }],
  expected: [1007],
});
const closing = (code: number, expected: readonly number[]): Case => ({
  name: `close with ${code}`,
  frames: [{ opcode: 8, payload: Buffer.from([code >> 8, code & 255]) }],
  expected,
});

const OTHERS: readonly Case[] = [
  utf8('a lone continuation byte', [0x80]),
  utf8('an overlong slash', [0xc0, 0xaf]),
  utf8('a surrogate', [0xed, 0xa0, 0x80]),
  utf8('above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]),
  utf8('a cut sequence', [0xe2, 0x82]),
  utf8('0xff', [0xff]),
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4999].map((code) => closing(code, [code])),
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999].map((code) => closing(code, PROTOCOL)),
  { name: 'close without a code', frames: [{ opcode: 8 }], expected: [1005, 1000] },
  { name: 'close with one byte', frames: [{ opcode: 8, payload: Buffer.from([3]) }], expected: PROTOCOL },
  {
    name: 'close with a reason that is no UTF-8',
    frames: [{ opcode: 8, payload: Buffer.from([3, 232, 0xff]) }],
    expected: [1007, 1002],
  },
  { name: 'ping of 125 bytes', frames: [{ opcode: 9, payload: Buffer.alloc(125) }], expected: 'alive' },
  { name: 'ping of 126 bytes', frames: [{ opcode: 9, payload: Buffer.alloc(126) }], expected: PROTOCOL },
  { name: 'pong that nobody asked for', frames: [{ opcode: 10, payload: TEXT }], expected: 'alive' },
  {
    name: 'text in two fragments',
    frames: [
      { opcode: 1, fin: false, payload: TEXT },
      { opcode: 0, payload: TEXT },
    ],
    expected: 'alive',
  },
  {
    name: 'a ping between two fragments',
    frames: [
      { opcode: 1, fin: false, payload: TEXT },
      { opcode: 9, payload: TEXT },
      { opcode: 0, payload: TEXT },
    ],
    expected: 'alive',
  },
  {
    name: 'a text inside of a text',
    frames: [
      { opcode: 1, fin: false, payload: TEXT },
      { opcode: 1, payload: TEXT },
    ],
    expected: PROTOCOL,
  },
  {
    name: 'a continuation behind the last fragment',
    frames: [
      { opcode: 1, payload: TEXT },
      { opcode: 0, payload: TEXT },
    ],
    expected: PROTOCOL,
  },
  {
    name: 'a character in two fragments',
    frames: [
      { opcode: 1, fin: false, payload: Buffer.from([0xe2, 0x82]) },
      { opcode: 0, payload: Buffer.from([0xac]) },
    ],
    expected: 'alive',
  },
  { name: 'an empty text', frames: [{ opcode: 1 }], expected: 'alive' },
  { name: 'the largest message', frames: [{ opcode: 1, payload: Buffer.alloc(BYTES, 'x') }], expected: 'alive' },
  {
    name: 'a message above the limit',
    frames: [{ opcode: 1, payload: Buffer.alloc(BYTES + 1, 'x') }],
    expected: [1009],
  },
  {
    name: 'fragments above the limit together',
    frames: [
      { opcode: 1, fin: false, payload: Buffer.alloc(BYTES, 'x') },
      { opcode: 0, payload: TEXT },
    ],
    expected: [1009],
  },
  // "The minimal number of bytes MUST be used to encode the length" (section 5.2) binds senders; servers may take it.
  { name: 'a length of 16 bits that fits into 7', frames: [{ opcode: 1, payload: TEXT, form: 16 }], expected: 'alive' },
  { name: 'a length of 64 bits that fits into 7', frames: [{ opcode: 1, payload: TEXT, form: 64 }], expected: 'alive' },
];

const CASES = [...heads(), ...OTHERS];

/** `alive`, the code of the close frame, or `ended` without one. */
async function outcomeOf(port: number, { frames }: Case): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const key = Buffer.alloc(16, 1).toString('base64');
  socket.write(
    `GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  let received = Buffer.alloc(0);
  let isOpen = false;
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (!isOpen) {
        if (end < 0) return;
        isOpen = true;
        received = received.subarray(end + 4);
        socket.write(Buffer.concat([...frames, { opcode: 9, payload: PROBE }].map(encoded)));
      }
      for (const { opcode, payload } of framesIn(received)) {
        if (opcode === 10 && payload.equals(PROBE)) resolve('alive');
        if (opcode === 8) resolve(String(payload.length < 2 ? 1005 : payload.readUInt16BE(0)));
      }
    });
    void closed.then(() => resolve('ended'));
  });
  const outcome = await answer;
  socket.destroy();
  await closed;
  return outcome;
}

/** The complete frames that a server sent. */
function framesIn(bytes: Buffer): readonly { readonly opcode: number; readonly payload: Buffer }[] {
  const frames: { readonly opcode: number; readonly payload: Buffer }[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = (bytes[at + 1] ?? 0) & 127;
    const start = at + (short === 126 ? 4 : 2);
    const length = short === 126 && start <= bytes.length ? bytes.readUInt16BE(at + 2) : short;
    if (start + length > bytes.length) break;
    frames.push({ opcode: (bytes[at] ?? 0) & 15, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}

/** Outcomes that differ from the RFC, by kind, with the number of cases. */
async function deviationsOf(port: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const one of CASES) {
    const outcome = await outcomeOf(port, one);
    const isRight = one.expected === 'alive' ? outcome === 'alive' : one.expected.map(String).includes(outcome);
    if (isRight) continue;
    const kind = `${one.expected === 'alive' ? 'alive' : one.expected.join(' or ')}: ${outcome}`;
    found.set(kind, [...(found.get(kind) ?? []), one.name]);
  }
  return found;
}

const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) await server.close(false);
});

async function listening(preferred: 'node' | 'uws'): Promise<number> {
  const server = await createServer({
    preferred,
    http: () => ({ status: 200, headers: {}, body: '' }),
    limits: { bodyBytes: BYTES, messageBytes: BYTES, webSockets: 1_000 },
    timers: { after: () => () => undefined, yield: () => new Promise((resolve) => setImmediate(resolve)) },
    onDefect(error) {
      throw error;
    },
    webSocket: {
      handler: {
        open: () => undefined,
        message: (_socket, message) => message.release(),
        drain: () => undefined,
        close: () => undefined,
      },
      refuse: () => undefined,
    },
  });
  servers.push(server);
  const listened = await server.listen('127.0.0.1', 0);
  if (!listened.ok) throw new Error(`could not listen: ${listened.code}`);
  return listened.port;
}

describe(`${CASES.length} cases of RFC 6455`, () => {
  it('are many', () => expect(CASES.length).toBeGreaterThanOrEqual(250));

  it('have the expected outcomes over node:http', async () => {
    const deviations = await deviationsOf(await listening('node'));
    expect([...deviations].map(([kind, names]) => [kind, names.length])).toEqual([]);
  });

  it('have the expected outcomes over uWebSockets.js', async (context) => {
    if ((await loadUws()) === undefined) return context.skip('has no binary for this Node');
    const deviations = await deviationsOf(await listening('uws'));
    expect([...deviations].map(([kind, names]) => [kind, names.length])).toEqual([
      // It ends the connection without a close frame.
      ['1002: ended', 251],
      // It answers a close frame with an invalid code or reason, and one with 3000, by a close frame without a code.
      ['1002: 1005', 10],
      ['1007: ended', 6],
      ['3000: 1005', 1],
      ['1007 or 1002: 1005', 1],
    ]);
  });
});
