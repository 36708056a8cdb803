import { expect, test } from 'vitest';
import { printable, printableJson, printableLine } from '../../../src/core/text/printable.js';

const ESCAPES = 'a\u001b[2J\u009b1m\r\t\u007f\u0000é\n✓';

test('a text keeps its lines and loses what drives a terminal', () => {
  expect(printable(ESCAPES)).toBe('a [2J 1m    é\n✓');
  expect(printableLine(ESCAPES)).toBe('a [2J 1m    é ✓');
});

test('JSON is the same value, with no control character but line feeds between its parts', () => {
  const value = { [ESCAPES]: [ESCAPES, 1, undefined] };
  for (const indent of [undefined, 2]) {
    const json = printableJson(value, indent);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(json).not.toMatch(/[^\P{Cc}\n]/u);
  }
  expect(printableJson(undefined)).toBe('null');
});
