/** Request paths as in Go's servers: decoded once, and redirected if not clean. */

/** Percent-decodes a path; undefined for a broken escape. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Removes empty, `.` and `..` segments; keeps a trailing slash (Go's path.Clean, as its routers use it). */
export function cleanPath(path: string): string {
  if (!/\/(?:\/|\.{1,2}(?:\/|$))/.test(path)) return path.startsWith('/') ? path : `/${path}`;
  const clean: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') clean.pop();
    else if (segment !== '' && segment !== '.') clean.push(segment);
  }
  const slash = path.endsWith('/') && clean.length > 0 ? '/' : '';
  return `/${clean.join('/')}${slash}`;
}

/** The `Location` header for a clean path, escaped as in Go's url.URL, with the query as sent. */
export function locationOf(path: string, query: string): string {
  const escaped = encodeURI(path.toWellFormed()).replace(/[!#'()*?]/g, hexEscape);
  return query === ''
    ? escaped
    : `${escaped}?${query.toWellFormed().replace(/[^\u0020-\u007e]/gu, encodeURIComponent)}`;
}

function hexEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
