/** Errors of malformed JSON with the texts of Go's decoder, which evmd v0.6.0 answered. */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { jsonProblem } from '../../../../src/core/sdk/go/go-json-syntax.js';
import { propertyRuns } from '../../../support/property-runs.js';

const END = 'unexpected end of JSON input';

test.each([
  ['', END],
  [' ', END],
  ['{', END],
  ['{"a":"', END],
  ['[1', END],
  ['1.', "invalid character ' ' after decimal point in numeric literal"],
  ['{"messages":[]} x', "invalid character 'x' after top-level value"],
  ['{messages:[]}', "invalid character 'm' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ["{'a':1}", String.raw`invalid character '\'' looking for beginning of object key string`],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":-}', "invalid character '}' in numeric literal"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  ['{"a":+1}', "invalid character '+' looking for beginning of value"],
  ['{"a":nul}', "invalid character '}' in literal null (expecting 'l')"],
  [String.raw`{"a":"\x"}`, "invalid character 'x' in string escape code"],
  [String.raw`{"a":"\u12zz"}`, String.raw`invalid character 'z' in \u hexadecimal character escape`],
  ['{"a":"\t"}', String.raw`invalid character '\t' in string literal`],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
])('jsonProblem names the error of %j', (json, problem) => {
  expect(jsonProblem(utf8(json))).toBe(problem);
});

it('jsonProblem is undefined for valid JSON, and for nothing else', () => {
  const isJson = (json: string): boolean => {
    try {
      JSON.parse(json);
      return true;
    } catch {
      return false;
    }
  };
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '1',
    '0',
    '-',
    '.',
    'e',
    'true',
    'null',
    ' ',
    'a',
    '\\',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(piece, { maxLength: 12 }).map((list) => list.join('')),
      ),
      (json) => {
        expect(jsonProblem(utf8(json)) === undefined).toBe(isJson(json));
      },
    ),
    { numRuns: propertyRuns(300) },
  );
});
