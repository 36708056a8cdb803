/**
 * Decides about requests of browsers: the Host check against DNS rebinding, the Origin check, and CORS. Pure; both
 * transports call it before a handler sees a request.
 */
import { isIP } from 'node:net';
import { cachedByText } from './cached-by-text.js';
import { plainText } from './rules.js';
import type { Exposure, HttpResponse, RequestHead } from './server.js';

/** Non-browser clients and same-origin pages only. */
export const CLOSED: Exposure = { hosts: [], origins: [] };

export type Admission =
  /** The answer is given here: a refusal, or a preflight. */
  | { readonly kind: 'answer'; readonly response: HttpResponse }
  /** The request is passed to the handler; `headers` are added to its answer. */
  | { readonly kind: 'pass'; readonly headers: Readonly<Record<string, string>> };

const PASS: Admission = { kind: 'pass', headers: {} };
const PASS_VARYING: Admission = { kind: 'pass', headers: { vary: 'Origin' } };

const BAD_HOST = plainText(403, 'invalid host specified\n');
const METHODS = new Set(['HEAD', 'GET', 'POST']);
const VARY_PREFLIGHT = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
/** A list of header names: tokens and commas. */
const HEADER_NAMES = /^[!#$%&'*+.^_`|~0-9a-z, -]{1,1024}$/;

/** Judges an ordinary request. */
export function admit(head: RequestHead, exposure: Exposure): Admission {
  const refusal = refuseForeign(head, exposure);
  if (refusal !== undefined) return { kind: 'answer', response: refusal };
  if (exposure.origins.length === 0) return PASS;
  const origin = head.headers.get('origin');
  if (head.method === 'OPTIONS' && origin !== undefined && head.headers.has('access-control-request-method')) {
    return { kind: 'answer', response: preflight(head, allowOrigin(origin, exposure)) };
  }
  if (origin === undefined) return PASS_VARYING;
  return { kind: 'pass', headers: { vary: 'Origin', ...allowOrigin(origin, exposure) } };
}

/**
 * Checks an upgrade, and is the first check of every request. Returns the refusing answer, undefined when the request
 * may go on. A browser opens a websocket to any address for any page, so this check alone protects it.
 */
export function refuseForeign(head: RequestHead, exposure: Exposure): HttpResponse | undefined {
  const { headers } = head;
  const host = headers.get('host') ?? '';
  if (!isHostAllowed(host, exposure.hosts)) return BAD_HOST;
  const origin = headers.get('origin');
  const isForeign =
    origin === undefined
      ? // Links, images and forms of another origin send no Origin with GET, but a URI call would be executed.
        isOfOtherOrigin(headers.get('sec-fetch-site'), host, exposure.origins) && !opensPage(head, exposure)
      : !isProgram(origin) && !isOriginAllowed(origin, exposure.origins) && !isSameOrigin(origin, host);
  return isForeign ? foreignPage(origin ?? '', exposure) : undefined;
}

/**
 * True for a request without Origin that a browser marks as one of another origin: every mark but `same-origin` and
 * `none` (Go 1.25 `net/http/csrf.go`, which lets GET pass: here it executes). A page of the same site passes where
 * pages of its host may call from any port; on this machine and at an IP address no other host is of the same site.
 */
function isOfOtherOrigin(site: string | undefined, host: string, allowed: readonly string[]): boolean {
  if (site === undefined || site === 'same-origin' || site === 'none' || allowed.includes('*')) return false;
  return site !== 'same-site' || !cannotBeRebound(host) || !isOriginAllowed(`http://${nameOf(host)}:0`, allowed);
}

/** True where a link opens a page of this node, which executes nothing (Fetch Metadata, `navigate` and `document`). */
function opensPage({ method, path, headers }: RequestHead, { pages }: Exposure): boolean {
  return (
    method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document' &&
    pages?.has(path.split('/')[1] ?? '') === true
  );
}

/** A single word, as programs put it that name themselves. */
const WORD = /^[a-z0-9._-]{1,64}$/i;

/**
 * True for an Origin that no browser sends: theirs is `null` or has a scheme and `://` (RFC 6454, section 6.1), and a
 * page cannot set it (Fetch, "forbidden request-header"). titanoboa 0.2 sends `Titanoboa` (`boa/rpc.py`).
 */
function isProgram(origin: string): boolean {
  return WORD.test(origin) && origin.toLowerCase() !== 'null';
}

/** An origin as browsers write it, short enough to be shown. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[!-~]{1,200}$/i;

/** The refusal of a page; it names the option that would let the page in. */
function foreignPage(origin: string, { onRefused }: Exposure): HttpResponse {
  const named = ORIGIN.test(origin) ? origin : '';
  onRefused?.(named);
  return plainText(
    403,
    `origin not allowed: pages of ${named === '' ? 'other sites' : named} may not call this node; ` +
      `start it with --cors-allowed-origins ${named === '' ? '<origin>' : named} to let them\n`,
  );
}

/** DNS rebinding needs a name: IP literals and names of this machine cannot be rebound. */
const cannotBeRebound = cachedByText((host) => {
  const name = nameOf(host);
  return name === '' || isLocalName(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
});

/** `localhost` and the names below it, which are this machine for every browser (RFC 6761, section 6.3). */
function isLocalName(name: string): boolean {
  return /^(?:[a-z0-9_-]{1,63}\.){0,16}localhost\.?$/.test(name);
}

function isHostAllowed(host: string, allowed: readonly string[]): boolean {
  return cannotBeRebound(host) || allowed.includes('*') || allowed.some((one) => one.toLowerCase() === nameOf(host));
}

/** The host without its port. */
function nameOf(host: string): string {
  return host.replace(/:[0-9]*$/, '').toLowerCase();
}

function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  const page = origin.toLowerCase();
  return allowed.some((pattern) => fits(page, pattern.toLowerCase().split('*')));
}

/** True for a text that begins and ends with the outer parts, and has the others between them in their order. */
function fits(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length >= at + last.length && text.endsWith(last);
}

/** True when the page came from this face; the Host was checked before. */
function isSameOrigin(origin: string, host: string): boolean {
  return host !== '' && origin.toLowerCase().replace(/^https?:\/\//, '') === host.toLowerCase();
}

function allowOrigin(origin: string, { origins }: Exposure): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origins.includes('*') ? '*' : origin };
}

/** Answers a preflight. Every header may be sent: no answer depends on credentials, so the origin alone decides. */
function preflight({ headers }: RequestHead, allowed: Readonly<Record<string, string>>): HttpResponse {
  const method = (headers.get('access-control-request-method') ?? '').toUpperCase();
  const names = (headers.get('access-control-request-headers') ?? '').toLowerCase();
  const granted = METHODS.has(method) && (names === '' || HEADER_NAMES.test(names));
  return {
    status: 204,
    headers: {
      vary: VARY_PREFLIGHT,
      ...(granted && {
        ...allowed,
        'access-control-allow-methods': method,
        ...(names !== '' && { 'access-control-allow-headers': names }),
      }),
    },
    body: '',
  };
}
