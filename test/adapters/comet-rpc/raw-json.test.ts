import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goJson, splitJson as split } from '../../../src/adapters/raw-json.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';

const splitJson = (
  text: string,
  jsonDepth: number,
  jsonParts: number = DEFAULT_LIMITS.jsonParts,
): ReturnType<typeof split> => split(text, { jsonDepth, jsonParts });

describe('splitting JSON text', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    const nearJson = fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"a"',
          '"',
          '\\',
          'u12',
          '1',
          '-',
          '0',
          '.5',
          'e',
          '+',
          ' ',
          '\n',
          'true',
          'nul',
          'null',
          '\u0001',
          'é',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(nearJson, fc.json({ maxDepth: 5 }), fc.string()), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(splitJson(text, 100).ok).toBe(valid);
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps the raw text of every member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const members = splitJson(JSON.stringify(value, null, 2), 100);
        expect(
          members.ok &&
            members.value.kind === 'object' &&
            members.value.members.map(([name, raw]) => [name, JSON.parse(raw)]),
        ).toEqual(Object.entries(value).map(([name, member]) => [name, JSON.parse(JSON.stringify(member))]));
      }),
    );
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['abc', "invalid character 'a' looking for beginning of value"],
    ['tx.height=20', "invalid character 'x' in literal true (expecting 'r')"],
    ['53A3', "invalid character 'A' after top-level value"],
    ['02', "invalid character '2' after top-level value"],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1', "invalid character '1' after object key"],
    ['{"a":1 2', "invalid character '2' after object key:value pair"],
    ['[1 2', "invalid character '2' after array element"],
    ['"\n', String.raw`invalid character '\n' in string literal`],
    ['"\\x', "invalid character 'x' in string escape code"],
    ['"\\u00g', String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['-', 'unexpected end of JSON input'],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1ea', "invalid character 'a' in exponent of numeric literal"],
    ["'x'", String.raw`invalid character '\'' looking for beginning of value`],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])("refuses %j with Go's error text", (text, error) => {
    expect(splitJson(text, 32)).toEqual({ ok: false, error });
  });

  it('accepts objects, arrays and members up to the limit, and refuses one more', () => {
    const jsonParts = 1_000;
    const refused = { ok: false, error: `exceeded max objects, arrays and members (limit jsonParts: ${jsonParts})` };
    const objects = (count: number): string => `[${Array.from({ length: count - 1 }, () => '{}').join(',')}]`;
    const members = (count: number): string => `{${Array.from({ length: count - 1 }, () => '"a":1').join(',')}}`;
    for (const text of [objects, members]) {
      expect(splitJson(text(jsonParts), 32, jsonParts).ok).toBe(true);
      expect(splitJson(text(jsonParts + 1), 32, jsonParts)).toEqual(refused);
    }
  });

  it('accepts nesting up to the limit, and refuses more before it recurses further', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(splitJson(nested(32), 32).ok).toBe(true);
    expect(splitJson(nested(33), 32)).toEqual({ ok: false, error: 'exceeded max depth (32)' });
    expect(splitJson('['.repeat(2_500_000), 32)).toEqual({ ok: false, error: 'exceeded max depth (32)' });
  });

  it('limits the depth of values, not their number', () => {
    expect(splitJson(`[${Array.from({ length: 100 }, () => '{"a":[1]}').join(',')}]`, 3).ok).toBe(true);
    expect(splitJson('[{"a":[1]},{"a":[[1]]}]', 3).ok).toBe(false);
  });

  it('escapes the same characters as Go', () => {
    expect(goJson({ a: '<&>\u2028é' })).toBe(String.raw`{"a":"\u003c\u0026\u003e\u2028é"}`);
  });
});
