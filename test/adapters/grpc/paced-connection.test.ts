/** Calls of hostile HTTP/2 clients reach the library a few at a time, and resets are limited (CVE-2023-44487). */
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_HEADERS, FRAME_RST_STREAM, FrameHeaders } from '../../../src/adapters/grpc/frame-headers.js';
import { PacedConnection } from '../../../src/adapters/grpc/paced-connection.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { rawCall } from './reflected-client.js';
import { serveSmall } from './support.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.set([type, flags], 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The head of a call: POST, http, and a path in indexed and literal fields (RFC 7541). */
const CALL_FIELDS = Buffer.concat([Buffer.from([0x83, 0x86, 0x04, 4]), Buffer.from('/a/b')]);
const RESET = Buffer.from([0, 0, 0, 8]);

describe('HTTP/2 frames of a connection', () => {
  it('are recognised however their bytes are split', () => {
    const frames = fc.array(fc.tuple(fc.nat(9), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 });
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, sizes) => {
        const bytes = Buffer.concat([PREFACE, ...sent.map(([type, payload]) => frame(type, 0, 1, payload))]);
        const headers = new FrameHeaders();
        const types: number[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const chunk = bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
          at += chunk.length;
          for (let next = headers.next(chunk, 0); next !== undefined; next = headers.next(chunk, next.at))
            types.push(next.type);
        }
        expect(types).toEqual(sent.map(([type]) => type));
      }),
    );
  });
});

describe('an HTTP/2 client that resets its calls', () => {
  it('gets ENHANCE_YOUR_CALM with the name of the limit, while others are answered', async () => {
    const { port, client } = await serveSmall({}, { grpcResets: 10 });
    const socket = connect(port, '127.0.0.1');
    const calls = Array.from({ length: 30 }, (_, index) => [
      frame(FRAME_HEADERS, 4, 2 * index + 1, CALL_FIELDS),
      frame(FRAME_RST_STREAM, 0, 2 * index + 1, RESET),
    ]);
    socket.write(Buffer.concat([PREFACE, frame(4, 0, 0, Buffer.alloc(0)), ...calls.flat()]));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(received.toString('latin1')).toContain('\0\0\0\x0blimit grpcResets (10) exceeded');
    expect((await rawCall(client, '/nope/Nope', new Uint8Array())).error?.code).toBe(12);
  });

  it('may reset half of its calls', async () => {
    const { port } = await serveSmall({}, { grpcResets: 0 });
    const socket = connect(port, '127.0.0.1');
    const calls = Array.from({ length: 30 }, (_, index) => [
      frame(FRAME_HEADERS, 5, 2 * index + 1, CALL_FIELDS),
      ...(index % 2 === 1 ? [frame(FRAME_RST_STREAM, 0, 2 * index + 1, RESET)] : []),
    ]);
    const ping = frame(6, 0, 0, Buffer.from('12345678'));
    socket.write(Buffer.concat([PREFACE, frame(4, 0, 0, Buffer.alloc(0)), ...calls.flat(), ping]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.includes('12345678')) break;
    }
    expect(received.includes(Buffer.from([0, 0, 8, 6, 1, 0, 0, 0, 0]))).toBe(true);
  });
});

describe('an HTTP/2 client that stops sending', () => {
  const cut = '\0\0\0\x0blimit grpcFrameMs (50) exceeded';
  const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));

  it.each([
    ['before its preface', Buffer.alloc(0)],
    ['within its preface', PREFACE.subarray(0, 10)],
    ['before its first frame', PREFACE],
    ['within the head of a frame', Buffer.concat([PREFACE, SETTINGS, Buffer.from([0, 0])])],
    ['within a frame', Buffer.concat([PREFACE, SETTINGS, frame(6, 0, 0, Buffer.alloc(8)).subarray(0, 12)])],
    ['within the header fields of a call', Buffer.concat([PREFACE, SETTINGS, frame(FRAME_HEADERS, 0, 1, CALL_FIELDS)])],
  ])('%s is cut off with the name of the limit', async (_, sent) => {
    const { port } = await serveSmall({}, { grpcFrameMs: 50 });
    const socket = connect(port, '127.0.0.1');
    if (sent.length > 0) socket.write(sent);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(received.toString('latin1')).toContain(cut);
  });

  it('between two frames stays connected, and so does one that completes each frame in time', () => {
    const timers = new VirtualTime();
    const socket = new Socket();
    const limits = { grpcResets: 10, grpcFrameMs: 50 };
    const paced = new PacedConnection(socket, { turns: { begin: () => true }, timers, limits });
    expect(timers.waiting).toBe(1);
    socket.emit('data', Buffer.concat([PREFACE, SETTINGS]));
    expect(timers.waiting).toBe(0);
    const data = frame(0, 0, 1, Buffer.alloc(100));
    socket.emit('data', data.subarray(0, 50));
    for (let times = 0; times < 5; times += 1) {
      void timers.advance(40);
      expect(paced.destroyed).toBe(false);
      socket.emit('data', Buffer.concat([data.subarray(50), data.subarray(0, 50)]));
    }
    socket.emit('data', data.subarray(50));
    expect(timers.waiting).toBe(0);
    paced.destroy();
  });
});
