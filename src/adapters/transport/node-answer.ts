/** Converts node:http requests and responses from and to the transport's types. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_CONTENT, collectHeaders, requestHead } from './rules.js';
import type { HttpResponse, RequestHead } from './server.js';

/** Converts a request head; undefined if a header that must be single is repeated. */
export function readHead(request: IncomingMessage): RequestHead | undefined {
  const lines: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    lines.push([request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '']);
  const headers = collectHeaders(lines);
  return headers && requestHead(request.method ?? 'GET', request.url ?? '/', headers);
}

/** Writes a response to `node:http`, in pieces when it is a stream. */
export function answer(
  native: ServerResponse,
  response: HttpResponse,
  close: boolean,
  headers: HttpResponse['headers'] = {},
): void {
  if (native.headersSent || native.destroyed) return;
  native.writeHead(response.status, {
    ...response.headers,
    ...headers,
    ...(response.status !== NO_CONTENT && { 'content-length': Buffer.byteLength(response.body) }),
    ...(close && { connection: 'close' }),
  });
  native.end(response.body);
}

/** Rejects an upgrade with a response, and closes the connection. */
export function refuseUpgrade(stream: Duplex, response: HttpResponse): void {
  const lines = Object.entries({
    ...response.headers,
    'content-length': String(Buffer.byteLength(response.body)),
    connection: 'close',
  });
  stream.write(
    `HTTP/1.1 ${response.status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  stream.end(response.body);
}
