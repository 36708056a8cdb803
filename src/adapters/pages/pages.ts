/**
 * Pages for browsers at the root of a face. They are files of the build (`src/adapters/pages/browser`), the same for
 * every chain: what a chain contains reaches them as JSON, which their scripts show as text.
 */
import { plainText, type StreamingHttpHandler, type HttpRequest, type HttpResponse } from '../transport/index.js';

/** A page and the file of its script, in the folder of the build. */
export type PageName = 'start' | 'openapi' | 'metrics';

export interface PageOptions {
  readonly page: PageName;
  /** Text of a file of the build; called once for each file. */
  readonly read: (file: string) => string;
  /** Answers the facts that the page shows; called at each request. */
  readonly facts?: () => Promise<unknown>;
}

/**
 * Scripts, styles and answers come from the page's own origin alone; no markup of the page runs a script, and no other
 * page may frame it (CSP level 3).
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
const NO_SUCH_FILE = plainText(404, 'not found\n');

/** Answers a browser's requests for the page and its files; every other request goes to `next`. */
export function withPage({ page, read, facts }: PageOptions, next: StreamingHttpHandler): StreamingHttpHandler {
  const files = new Set([`${page}.js`, 'page.css']);
  const made = new Map<string, HttpResponse>();
  const file = (name: string): HttpResponse => {
    const answer = made.get(name) ?? fileAnswer(name, read(name));
    made.set(name, answer);
    return answer;
  };
  return (request) => {
    // The requests of programs are not looked at any further.
    if (request.method !== 'GET') return next(request);
    if (request.path === '/') return isBrowser(request) ? file(`${page}.html`) : next(request);
    if (!request.path.startsWith(PREFIX)) return next(request);
    const name = request.path.slice(PREFIX.length);
    if (name === 'node.json' && facts !== undefined) return facts().then(jsonAnswer);
    return files.has(name) ? file(name) : NO_SUCH_FILE;
  };
}

function isBrowser({ headers, query, body }: HttpRequest): boolean {
  return query === '' && body.length === 0 && headers.get('accept')?.includes('text/html') === true;
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
