/** Converts uWebSockets.js requests and responses from and to the transport's types. */
import type { HttpRequest as UwsRequest, HttpResponse as UwsResponse } from 'uWebSockets.js';
import { NO_CONTENT, addHeader, requestHead } from './rules.js';
import type { HttpResponse, RequestHead } from './server.js';

const USUAL_STATUS = 200;

/** Reason phrase of a status. Node's own table is in node:http, which is not loaded. */
function reasonOf(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? '';
}

/** The address of a client as text. */
export function addressOf(native: { getRemoteAddressAsText(): ArrayBuffer }): string {
  return Buffer.from(native.getRemoteAddressAsText()).toString('latin1');
}

/** Converts a request head; undefined if a header that must be single is repeated. */
export function readHead(request: UwsRequest): RequestHead | undefined {
  const headers = new Map<string, string>();
  let isValid = true;
  // The library gives the names in lower case.
  request.forEach((name, value) => {
    isValid = addHeader(headers, name, value) && isValid;
  });
  if (!isValid) return undefined;
  const query = request.getQuery();
  return requestHead(
    request.getMethod().toUpperCase(),
    query ? `${request.getUrl()}?${query}` : request.getUrl(),
    headers,
  );
}

/** Writes status and headers of a response. */
export function writeHead(
  native: UwsResponse,
  response: Pick<HttpResponse, 'status' | 'headers'>,
  headers: HttpResponse['headers'],
): void {
  // the library writes the default status by itself
  if (response.status !== USUAL_STATUS) native.writeStatus(`${response.status} ${reasonOf(response.status)}`);
  for (const [name, value] of linesOf(response.headers, headers)) native.writeHeader(name, value);
}

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Cache of header lines by their two source objects, because most responses use the same two. */
const knownLines = new WeakMap<HttpResponse['headers'], WeakMap<HttpResponse['headers'], HeaderLines>>();

/** Merges a response's headers with added ones, which take precedence. */
function linesOf(answered: HttpResponse['headers'], added: HttpResponse['headers']): HeaderLines {
  let ofAnswered = knownLines.get(answered);
  if (ofAnswered === undefined) knownLines.set(answered, (ofAnswered = new WeakMap()));
  let lines = ofAnswered.get(added);
  if (lines === undefined) ofAnswered.set(added, (lines = Object.entries({ ...answered, ...added })));
  return lines;
}

const NO_HEADERS: HttpResponse['headers'] = {};

/** Writes a response to uWebSockets.js, in pieces when it is a stream. */
export function answer(
  native: UwsResponse,
  response: HttpResponse,
  head: RequestHead | undefined,
  close: boolean,
  headers: HttpResponse['headers'] = NO_HEADERS,
): void {
  native.cork(() => {
    writeHead(native, response, headers);
    // an undefined length would be sent as 2^63
    if (response.status === NO_CONTENT) native.endWithoutBody();
    else if (head?.method === 'HEAD') native.endWithoutBody(Buffer.byteLength(response.body), close);
    else native.end(response.body, close);
  });
}
