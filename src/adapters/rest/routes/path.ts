/** Request paths as Go's server and router read them: decoded once, and redirected when they are not clean. */

/** Decodes the path without its first slash; undefined for a broken escape. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** `a/b` -> `['a', 'b']`; an empty last segment is kept: it is an empty path parameter. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

/** The path without empty, `.` and `..` segments; a final slash is kept (Go's path.Clean, as gorilla/mux uses it). */
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
