/**
 * Serves web pages at the root of a face. They are static files of the build (`src/adapters/pages/browser`); chain
 * data reaches them as JSON, which their scripts show as text.
 */
import {
  plainText,
  type StreamingHttpHandler,
  type HttpRequest,
  type HttpResponse,
  type StreamedResponse,
} from '../transport/index.js';

/** Name of a page and of its script in the build folder. */
export type PageName = 'app' | 'openapi' | 'metrics';

export interface PageOptions {
  readonly page: PageName;
  /** Reads a file of the build; called once per file. */
  readonly read: (file: string) => string;
  /** Returns the node facts for the page; called at each request. */
  readonly facts?: () => Promise<unknown>;
  /** First path segments of the page's views; a browser gets the page for them, too. */
  readonly views?: ReadonlySet<string>;
  /**
   * Handlers of other faces by name, proxied for GET below `/_page/<name>/`, because a page may only call its own
   * origin. Undefined if a face is closed.
   */
  readonly proxiedFace?: (name: string) => StreamingHttpHandler | undefined;
}

/** First path segments of the application's views (`src/adapters/pages/browser/data/router.ts`). */
export const APP_VIEWS: ReadonlySet<string> = new Set([
  'account',
  'address',
  'api',
  'block',
  'blocks',
  'changes',
  'denom',
  'health',
  'inside',
  'log',
  'proposal',
  'proposals',
  'search',
  'token',
  'tx',
  'txs',
  'upgrades',
  'validator',
  'validators',
]);

/**
 * Content security policy (CSP level 3): resources from the page's own origin only, no inline scripts, no framing.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PREFIX = '/_page/';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
const FACE_CLOSED: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-status': '404' },
  body: '{"message":"this face of the node is not open"}\n',
};
const NO_SUCH_FILE = plainText(404, 'not found\n');

/** Wraps a handler: answers a browser's requests for the page and its files, and passes others to `next`. */
export function withPage(
  { page, read, facts, views, proxiedFace }: PageOptions,
  next: StreamingHttpHandler,
): StreamingHttpHandler {
  const files = new Set([`${page}.js`, `${page === 'app' ? 'app' : 'page'}.css`]);
  const made = new Map<string, HttpResponse>();
  const file = (name: string): HttpResponse => {
    const answer = made.get(name) ?? fileAnswer(name, read(name));
    made.set(name, answer);
    return answer;
  };
  return (request) => {
    const { path } = request;
    // Fast path for other methods.
    if (request.method !== 'GET') return next(request);
    if (path === '/' || views?.has(path.split('/')[1] ?? '') === true)
      return isBrowser(request, views !== undefined) ? file(`${page}.html`) : next(request);
    if (!path.startsWith(PREFIX))
      return views !== undefined && isBrowser(request, true)
        ? orLost(next(request), file(`${page}.html`))
        : next(request);
    const name = path.slice(PREFIX.length);
    const slash = name.indexOf('/');
    if (slash > 0) return proxyTo(proxiedFace?.(name.slice(0, slash)), { ...request, path: name.slice(slash) });
    if (name === 'node.json' && facts !== undefined) return facts().then(jsonAnswer);
    return files.has(name) ? file(name) : NO_SUCH_FILE;
  };
}

/** An answer; for an address of nothing the page, which says so and leads back. */
async function orLost(
  answer: ReturnType<StreamingHttpHandler>,
  page: HttpResponse,
): Promise<HttpResponse | StreamedResponse> {
  const given = await answer;
  return given.status === 404 ? { ...page, status: 404 } : given;
}

/**
 * Proxies a response of another face with status 200 and its own status in `x-status`, because browsers log other
 * statuses as errors, and "not found" is a normal answer for the page.
 */
async function proxyTo(
  proxiedFace: StreamingHttpHandler | undefined,
  request: HttpRequest,
): Promise<HttpResponse | StreamedResponse> {
  if (proxiedFace === undefined) return FACE_CLOSED;
  const answer = await proxiedFace(request);
  return { ...answer, status: 200, headers: { ...answer.headers, 'x-status': answer.status.toString() } };
}

function isBrowser({ headers, query, body }: HttpRequest, hasQueries: boolean): boolean {
  return (query === '' || hasQueries) && body.length === 0 && headers.get('accept')?.includes('text/html') === true;
}

function fileAnswer(name: string, body: string): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body,
  };
}

function jsonAnswer(value: unknown): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: JSON.stringify(value),
  };
}
