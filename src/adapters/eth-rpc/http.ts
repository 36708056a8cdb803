/** JSON-RPC over HTTP with geth's rules (v1.17 `rpc/http.go`). The transport checks Host, Origin and CORS. */
import {
  type HttpResponse,
  plainText,
  type RequestHead,
  type ServerOptions,
  type StreamedResponse,
  type StreamingHttpHandler,
} from '../transport/index.js';
import { JsonMeter, type JsonBounds } from '../../core/text/json-parts.js';
import { type Dispatch, type Reply, errorText } from './dispatcher.js';
import { excessOf } from './envelope.js';
import type { Connection } from './method.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const NOT_FOUND = plainText(404, '404 page not found\n');
const METHOD_NOT_ALLOWED = plainText(405, 'method not allowed\n');
const WRONG_CONTENT_TYPE = plainText(415, 'invalid content type, only application/json is supported\n');
const ALIVE: HttpResponse = { status: 200, headers: {}, body: '' };
const CONTENT_TYPES = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest']);

/** The response to a body above the limit. */
export const ETHEREUM_BODY_TOO_LARGE = plainText(413, 'content length too large (limit httpBodyBytes)\n');

/** HTTP has no subscriptions, and clients are not distinguished. */
export const HTTP_CONNECTION: Connection = { client: undefined, subscriptions: undefined, takesStreams: true };

/** Keeps a byte order mark, which then fails to parse, as on a websocket (RFC 8259, section 8.1). */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Creates the HTTP handler: POST at `/` with a JSON body. `dispatchOf` returns the dispatcher of the request's
 * client.
 */
export function createEthereumHttp(dispatchOf: (request: RequestHead) => Dispatch): StreamingHttpHandler {
  return (request) => {
    if (request.path !== '/') return NOT_FOUND;
    // geth's health check
    if (request.method === 'GET' && request.body.length === 0 && request.query === '') return ALIVE;
    if (request.method !== 'POST') return METHOD_NOT_ALLOWED;
    if (!isJson(request.headers.get('content-type'))) return WRONG_CONTENT_TYPE;
    if (request.body.length === 0) return { ...ALIVE, headers: JSON_TYPE };
    const reply = dispatchOf(request)(decoder.decode(request.body));
    if (reply instanceof Promise) return reply.then(wholeOf).then(responseOf);
    return reply.later === undefined ? responseOf(reply) : reply.later.then(responseOf);
  };
}

/** Rejects a body as soon as it exceeds a JSON limit, before it has arrived completely. */
export function inspectBodies(limits: JsonBounds): NonNullable<ServerOptions['inspect']> {
  return ({ path, method, headers }) => {
    if (path !== '/' || method !== 'POST' || !isJson(headers.get('content-type'))) return undefined;
    const meter = new JsonMeter(limits);
    return (piece) => {
      const exceeded = meter.add(piece);
      if (exceeded === undefined) return undefined;
      return { status: 200, headers: JSON_TYPE, body: errorText('null', excessOf(exceeded, limits)) };
    };
  };
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  return CONTENT_TYPES.has(contentType) || CONTENT_TYPES.has((contentType.split(';')[0] ?? '').trim().toLowerCase());
}

function wholeOf(reply: Reply): Reply | Promise<Reply> {
  return reply.later ?? reply;
}

function responseOf({ text, stream }: Reply): HttpResponse | StreamedResponse {
  return stream === undefined
    ? { status: 200, headers: JSON_TYPE, body: text }
    : { status: 200, headers: JSON_TYPE, stream };
}
