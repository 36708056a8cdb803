/** `a/b` -> `['a', 'b']`; an empty last segment is kept: it is an empty path parameter. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}
