/**
 * Limits the memory of incomplete requests and the time they may take to arrive; grpc-js only limits complete
 * messages.
 */
import { constants, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { invariant } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import { ByteBudget } from '../transport/byte-budget.js';

type RequestLimits = Pick<Limits, 'pendingBodyBytes' | 'grpcRequestBytes' | 'grpcSilenceMs'>;

/**
 * Limits the bytes of calls until they end: `pendingBodyBytes` for all calls, and twice the largest message for one,
 * so that grpc-js itself reports a message that is too large. It uses private HTTP/2 servers of grpc-js 1.14.7, and
 * throws if they are not found, so that no call is served without limits.
 */
export function boundRequests(server: Server, limits: RequestLimits): void {
  const budget = new ByteBudget(limits.pendingBodyBytes);
  const bounded = http2ServersOf(server);
  invariant(bounded.length > 0, 'grpc-js shows its HTTP/2 servers, whose requests are bounded');
  for (const http2 of bounded) http2.on('stream', (stream) => boundStream(stream, budget, limits));
}

function http2ServersOf(server: Server): readonly Http2Server[] {
  const servers: unknown = server['http2Servers'];
  return servers instanceof Map ? [...servers.keys()].filter(isHttp2Server) : [];
}

function boundStream(stream: ServerHttp2Stream, budget: ByteBudget, limits: RequestLimits): void {
  let taken = 0;
  stream.on('data', (chunk: Buffer) => {
    if (taken + chunk.length > limits.grpcRequestBytes * 2 || !budget.take(chunk.length)) {
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    taken += chunk.length;
  });
  stream.once('close', () => budget.give(taken));
  stream.setTimeout(limits.grpcSilenceMs, () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
  });
}

function isHttp2Server(value: unknown): value is Http2Server {
  return typeof value === 'object' && value !== null && 'setTimeout' in value && 'on' in value;
}
