import { cleanPath, locationOf } from '../request-path.js';
import type { HttpRequest, HttpResponse } from '../transport/index.js';

/**
 * The redirect response for a path with empty, `.` or `..` segments; undefined for a clean path. It behaves like Go's
 * http.ServeMux (used by CometBFT v0.38), which cleans the path as sent and escapes it again, and http.Redirect,
 * which has a body for GET only.
 */
export function redirectOf({
  method,
  path,
  query,
}: Pick<HttpRequest, 'method' | 'path' | 'query'>): HttpResponse | undefined {
  const clean = cleanPath(path);
  if (clean === path) return undefined;
  const location = locationOf(clean, query);
  const isRead = method === 'GET' || method === 'HEAD';
  return {
    status: 301,
    headers: { location, ...(isRead && { 'content-type': 'text/html; charset=utf-8' }) },
    body: method === 'GET' ? `<a href="${htmlEscape(location)}">Moved Permanently</a>.\n\n` : '',
  };
}

function htmlEscape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${HTML[character] ?? ''};`);
}

const HTML: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': '#34', "'": '#39' };
