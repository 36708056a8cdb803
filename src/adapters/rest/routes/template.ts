/** Path templates of `google.api.http`: `/a/{name}/b/{field.inner=x/*}/{rest=**}`. */
import { invariant } from '../../../core/errors.js';

export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  /** Exactly one segment. */
  | { readonly kind: 'one' }
  /** All remaining segments, possibly zero; only at the end. */
  | { readonly kind: 'rest' };

/** Segments of the path that, joined by slashes, form the value of a field. */
export interface Variable {
  /** Name of the field, with dots for nested fields. */
  readonly name: string;
  readonly start: number;
  /** Exclusive; undefined means the end of the path. */
  readonly end: number | undefined;
}

export interface Template {
  readonly segments: readonly Segment[];
  readonly variables: readonly Variable[];
}

/** Parses a template; throws for invalid grammar, which is a defect of the proto files. */
export function parseTemplate(text: string): Template {
  invariant(text.startsWith('/'), `the route ${text} begins with a slash`);
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  // slashes within braces belong to the variable
  for (const part of text.slice(1).split(/\/(?![^{}]*\})/)) {
    const [, name, pattern = '*'] = /^\{([\w.]+)(?:=([^{}]+))?\}$/.exec(part) ?? [];
    const start = segments.length;
    for (const segment of (name === undefined ? part : pattern).split('/')) segments.push(segmentOf(segment));
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
