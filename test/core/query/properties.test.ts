import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parseQuery } from '../../../src/core/query/index.js';
import { CODE_POINT } from '../../support/code-point.js';

const key: fc.Arbitrary<string> = fc.constantFrom('a.x', 'a.y', 'b.x', 'tm.event', 'a.b.c');
const value = fc.constantFrom('', '1', '2', '10', '1.5stake', 'Tx', 'T', '2024-01-02', '0xAb', 'v3');
const attributes = fc
  .array(fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 })), { maxLength: 5 })
  .map((rows) => new Map(rows));

type Naive = { readonly text: string; readonly test: (value: string) => boolean };
const leading = (text: string): number => Number(/^\d+(\.\d+)?/.exec(text)?.[0] ?? 'NaN');
const condition: fc.Arbitrary<Naive> = fc.oneof(
  value.map((text) => ({ text: `='${text}'`, test: (found: string) => found === text })),
  value.map((text) => ({ text: ` CONTAINS '${text}'`, test: (found: string) => found.includes(text) })),
  fc.constant({ text: ' EXISTS', test: () => true }),
  fc
    .constantFrom('1', '2', '1.5', '9.')
    .map((text) => ({ text: `>=${text}`, test: (found: string) => leading(found) >= Number(text) })),
  fc
    .constantFrom('1', '2', '1.5', '9.')
    .map((text) => ({ text: ` < ${text}`, test: (found: string) => leading(found) < Number(text) })),
  fc.constant({ text: ' = DATE 2024-01-02', test: (found: string) => found === '2024-01-02' }),
);

describe('event query', () => {
  it('matches when each condition holds for some value of its tag (the empty string for an event type)', () => {
    const conditions = fc.array(fc.tuple(fc.oneof(key, fc.constantFrom('a', 'a.b', 'tm')), condition), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(conditions, attributes, (rows, map) => {
        const parsed = parseQuery(rows.map(([tag, { text }]) => tag + text).join(' AND '));
        const naive = rows.every(([tag, { test }]) => {
          const values = [...(map.get(tag) ?? [])];
          if ([...map.keys()].some((name) => name.split('.').slice(0, -1).join('.') === tag)) values.push('');
          return values.some(test);
        });
        expect(parsed.ok && matches(parsed.query, map)).toBe(naive);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws while parsing, and its normal form parses to itself', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'a.b',
        ' ',
        '=',
        "'x'",
        'AND',
        ' AND ',
        '5',
        '.',
        'TIME ',
        'DATE 2024-01-01',
        '<',
        'EXISTS',
        'é',
        '0xab',
        "'",
        '-',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((list) => list.join('')),
          fc.string({ unit: CODE_POINT, maxLength: 40 }),
        ),
        (text) => {
          const parsed = parseQuery(text);
          if (!parsed.ok) return;
          const again = parseQuery(parsed.query.normal);
          expect(again.ok && again.query.normal).toBe(parsed.query.normal);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
