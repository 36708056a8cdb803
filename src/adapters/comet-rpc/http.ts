/**
 * The consensus RPC over HTTP: JSON-RPC by POST, URI calls, and the index page (CometBFT v0.38 `rpc/jsonrpc/server`).
 */
import { decodePath } from '../request-path.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { plainText, type HttpHandler, type HttpRequest, type HttpResponse } from '../transport/index.js';
import { METHOD_NOT_FOUND, invalidParams, invalidRequest } from './errors.js';
import { type CallRaw, answerBody, answerText } from './json-rpc.js';
import type { ArgumentSource, CallResult, Method } from './method.js';
import { redirectOf } from './redirect.js';

export interface HttpFace {
  readonly methods: ReadonlyMap<string, Method>;
  readonly socketMethods: ReadonlyMap<string, readonly string[]>;
  readonly limits: Limits;
  readonly timers: Pick<Timers, 'yield'>;
  readonly callRaw: CallRaw;
  /** Name of the request's client, for the log. */
  clientOf(request: HttpRequest): string;
  callUri(
    method: Method,
    source: ArgumentSource,
    client: string,
  ): Promise<CallResult & { readonly cacheable: boolean }>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const CACHED = { 'cache-control': 'public, max-age=86400' };
/** Id of responses to URI calls, as in CometBFT. */
const URI_ID = '-1';

/** The response to a body above the limit, as CometBFT's: status 400, no id. */
export const COMET_BODY_TOO_LARGE: HttpResponse = {
  status: 400,
  headers: JSON_TYPE,
  body: answerText(undefined, {
    ok: false,
    error: invalidRequest('error reading request body: http: request body too large'),
  }),
};

const NOT_FOUND = plainText(404, '404 page not found\n');
const BAD_ESCAPE = plainText(400, '400 Bad Request');
const NOT_A_WEBSOCKET = plainText(400, 'Bad Request\n');

/** Creates the HTTP handler over the method registry. */
export function createHttpHandler(face: HttpFace): HttpHandler {
  const { methods, socketMethods } = face;
  const index = (host: string): HttpResponse => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: indexPage(host, methods, socketMethods),
  });
  return async (request) => {
    const name = decodePath(request.path)?.slice(1);
    if (name === undefined) return BAD_ESCAPE;
    const redirect = redirectOf(request);
    if (redirect !== undefined) return redirect;
    if (request.path === '/') {
      if (request.body.length === 0) return index(request.headers.get('host') ?? '');
      const answer = await answerBody(
        new TextDecoder().decode(request.body),
        face.limits,
        (method, params) => face.callRaw(method, params, face.clientOf(request)),
        () => face.timers.yield(),
      );
      return {
        status: answer.status,
        headers: answer.body === '' ? {} : { ...JSON_TYPE, ...(answer.cacheable && CACHED) },
        body: answer.body,
      };
    }
    const method = methods.get(name);
    if (method !== undefined) return uriCall(face, method, request);
    if (socketMethods.has(name))
      return { status: 404, headers: JSON_TYPE, body: answerText(URI_ID, { ok: false, error: METHOD_NOT_FOUND }) };
    return name === 'websocket' ? NOT_A_WEBSOCKET : NOT_FOUND;
  };
}

async function uriCall(face: HttpFace, method: Method, request: HttpRequest): Promise<HttpResponse> {
  const source = uriSource(request);
  const called: CallResult & { readonly cacheable: boolean } =
    source === undefined
      ? {
          ok: false,
          error: invalidParams('error converting http params to arguments: invalid URL escape'),
          cacheable: false,
        }
      : await face.callUri(method, source, face.clientOf(request));
  return {
    status: called.ok ? 200 : 500,
    headers: { ...JSON_TYPE, ...(called.cacheable && CACHED) },
    body: answerText(URI_ID, called),
  };
}

/**
 * Arguments from the query string, then from a posted form; an empty value counts as absent. Undefined for a broken
 * escape.
 */
function uriSource(request: HttpRequest): ArgumentSource | undefined {
  const query = formValues(request.query);
  const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
  const form = isForm ? formValues(new TextDecoder().decode(request.body)) : new Map<string, string>();
  if (query === undefined || form === undefined) return undefined;
  return (name) => {
    const value = query.get(name) || form.get(name) || '';
    return value === '' ? undefined : { form: 'uri', text: value };
  };
}

/** Parses form-encoded values, the first one of each name; undefined for a broken escape. */
function formValues(encoded: string): Map<string, string> | undefined {
  const values = new Map<string, string>();
  if (/%(?![0-9a-fA-F]{2})/.test(encoded)) return undefined;
  for (const [name, value] of new URLSearchParams(encoded)) if (!values.has(name)) values.set(name, value);
  return values;
}

function indexPage(
  host: string,
  methods: ReadonlyMap<string, Method>,
  socketMethods: ReadonlyMap<string, readonly string[]>,
): string {
  const rows = [...methods.values()].map(({ name, paramNames }): readonly [string, readonly string[]] => [
    name,
    paramNames,
  ]);
  const safeHost = host.replace(/[^A-Za-z0-9.:[\]_-]/g, '');
  const links = [...rows, ...socketMethods]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, params]) => {
      const link = `//${safeHost}/${name}?${params.map((param) => `${param}=_`).join('&')}`;
      return `<a href="${link}">${link}</a></br>`;
    });
  return `<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>${links.join('')}</body></html>`;
}
