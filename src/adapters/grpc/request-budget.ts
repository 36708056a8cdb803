/** Bounds what requests may hold and how long they may take to arrive; grpc-js bounds only whole messages. */
import { constants, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import type { Limits } from '../../core/limits.js';
import { BodyBudget } from '../transport/rules.js';

/** A client that has not ended its requests and sends nothing for so long is cut, milliseconds; as on the HTTP faces. */
const SILENCE_MS = 12_000;

/**
 * Every byte of a call counts until the call is over: for all calls together `pendingBodyBytes`, for one of them twice the
 * largest message, so that grpc-js can still say itself that a message is too large. The streams are those of the HTTP/2
 * servers that grpc-js 1.14.7 keeps to itself; `test/grpc/bad-input.test.ts` notices when it no longer does.
 */
export function boundRequests(server: Server, limits: Pick<Limits, 'pendingBodyBytes' | 'grpcRequestBytes'>): void {
  const budget = new BodyBudget(limits.pendingBodyBytes);
  const servers: unknown = server['http2Servers'];
  if (!(servers instanceof Map)) return;
  for (const http2 of servers.keys()) if (isHttp2Server(http2)) http2.on('stream', (stream) => boundStream(stream, budget, limits.grpcRequestBytes * 2));
}

function boundStream(stream: ServerHttp2Stream, budget: BodyBudget, maximum: number): void {
  let taken = 0;
  stream.on('data', (chunk: Buffer) => {
    if (taken + chunk.length > maximum || !budget.take(chunk.length)) {
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    taken += chunk.length;
  });
  stream.once('close', () => budget.give(taken));
  stream.setTimeout(SILENCE_MS, () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
  });
}

function isHttp2Server(value: unknown): value is Http2Server {
  return typeof value === 'object' && value !== null && 'setTimeout' in value && 'on' in value;
}
