/** Path templates of `google.api.http`: `/a/{name}/b/{field.inner=x/*}/{rest=**}`. */
import { invariant } from '../../../core/errors.js';

export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  /** Exactly one segment. */
  | { readonly kind: 'one' }
  /** All that is left, also none; only at the end. */
  | { readonly kind: 'rest' };

/** Segments of the path whose text, joined by slashes, is the value of a field. */
export interface Variable {
  /** Name of the field, with points for fields of fields. */
  readonly name: string;
  readonly start: number;
  /** Exclusive; undefined: to the end of the path. */
  readonly end: number | undefined;
}

export interface Template {
  readonly segments: readonly Segment[];
  readonly variables: readonly Variable[];
}

/** Reads a template; one that breaks the grammar is a defect of our own proto files. */
export function parseTemplate(text: string): Template {
  invariant(text.startsWith('/'), `the route ${text} begins with a slash`);
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  // slashes within braces belong to the variable
  for (const part of text.slice(1).split(/\/(?![^{}]*\})/)) {
    const [, name, pattern = '*'] = /^\{([\w.]+)(?:=([^{}]+))?\}$/.exec(part) ?? [];
    const start = segments.length;
    segments.push(...(name === undefined ? part : pattern).split('/').map(segmentOf));
    if (name !== undefined)
      variables.push({ name, start, end: segments.at(-1)?.kind === 'rest' ? undefined : segments.length });
  }
  invariant(
    segments.slice(0, -1).every(({ kind }) => kind !== 'rest'),
    `the route ${text} has ** only at its end`,
  );
  return { segments, variables };
}

function segmentOf(text: string): Segment {
  if (text === '*') return { kind: 'one' };
  if (text === '**') return { kind: 'rest' };
  invariant(/^[\w.~-]+$/.test(text), `a segment of a route is a literal or a wildcard: ${text}`);
  return { kind: 'literal', text };
}
