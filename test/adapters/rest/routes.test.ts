import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPath, decodePath, locationOf } from '../../../src/adapters/request-path.js';
import { segmentsOf } from '../../../src/adapters/rest/routes/routes.js';
import { RouteTree } from '../../../src/adapters/rest/routes/route-tree.js';
import { parseTemplate, type Segment } from '../../../src/adapters/rest/routes/template.js';
import { propertyRuns } from '../../support/property-runs.js';

describe('path templates', () => {
  it('list the segments that their variables match', () => {
    expect(parseTemplate('/a/{x}/b/{y.z=c/*}/{rest=**}')).toEqual({
      segments: [
        { kind: 'literal', text: 'a' },
        { kind: 'one' },
        { kind: 'literal', text: 'b' },
        { kind: 'literal', text: 'c' },
        { kind: 'one' },
        { kind: 'rest' },
      ],
      variables: [
        { name: 'x', start: 1, end: 2 },
        { name: 'y.z', start: 3, end: 5 },
        { name: 'rest', start: 5, end: undefined },
      ],
    });
  });

  it.each(['a/b', '/{x=**}/b', '/a b', '/{x'])('%s is rejected as a defect', (text) => {
    expect(() => parseTemplate(text)).toThrow(/^invariant/);
  });
});

describe('the route tree', () => {
  const literal = fc.constantFrom('a', 'b', 'c').map((text): Segment => ({ kind: 'literal', text }));
  const template = fc
    .tuple(
      fc.array(fc.oneof({ weight: 3, arbitrary: literal }, fc.constant<Segment>({ kind: 'one' })), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([segments, open]): readonly Segment[] => (open ? [...segments, { kind: 'rest' }] : segments));

  it('finds the same route as a search over all: literal before one segment before the rest, then first added', () => {
    fc.assert(
      fc.property(
        fc.array(template, { maxLength: 12 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 }),
        (templates, path) => {
          const tree = new RouteTree<number>();
          templates.forEach((segments, index) => tree.add('GET', segments, index));
          expect(tree.find('GET', path)).toBe(bestOf(templates, path));
          expect(tree.find('POST', path)).toBeUndefined();
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

const RANK = { literal: 0, one: 1, rest: 2 } as const;

/** The model: every matching template, the most literal one by its leftmost difference. */
function bestOf(templates: readonly (readonly Segment[])[], path: readonly string[]): number | undefined {
  const matching = templates.flatMap((segments, index) =>
    matches(segments, path)
      ? [
          {
            index,
            rank: path
              .map((_, at) => RANK[segments[at]?.kind ?? 'rest'])
              .concat(segments.at(-1)?.kind === 'rest' ? 1 : 0),
          },
        ]
      : [],
  );
  matching.sort((a, b) => {
    const at = a.rank.findIndex((rank, place) => rank !== b.rank[place]);
    return at < 0 ? a.index - b.index : (a.rank[at] ?? 0) - (b.rank[at] ?? 0);
  });
  return matching[0]?.index;
}

function matches(segments: readonly Segment[], path: readonly string[]): boolean {
  const open = segments.at(-1)?.kind === 'rest';
  const fixed = open ? segments.slice(0, -1) : segments;
  if (open ? path.length < fixed.length : path.length !== fixed.length) return false;
  return fixed.every(
    (segment, at) => segment.kind === 'one' || (segment.kind === 'literal' && segment.text === path[at]),
  );
}

describe('request paths', () => {
  it('a cleaned path stays the same when cleaned again, and its redirect leads to it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('', '.', '..', '...', 'a'), fc.string({ maxLength: 3 })), { maxLength: 8 }),
        (segments) => {
          const clean = cleanPath(`/${segments.join('/')}`);
          expect(cleanPath(clean)).toBe(clean);
          expect(segmentsOf(clean).slice(0, -1)).not.toContain('');
          expect(segmentsOf(clean).filter((segment) => segment === '.' || segment === '..')).toEqual([]);
          expect(decodePath(locationOf(clean, ''))).toBe(clean.toWellFormed());
        },
      ),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it.each([
    ['/a:b,c@d=$&+;~', '/a:b,c@d=$&+;~'],
    ["/a!b'(c)*[d]", '/a%21b%27%28c%29%2A%5Bd%5D'],
    ['/a b?c#d\\é', '/a%20b%3Fc%23d%5C%C3%A9'],
  ])('%j is redirected to %j, escaped like in Go', (path, location) => {
    expect(locationOf(path, '')).toBe(location);
    expect(locationOf(path, 'a=//b&c="é')).toBe(`${location}?a=//b&c="%C3%A9`);
  });
});
