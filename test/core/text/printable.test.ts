import { expect, test } from 'vitest';
import { printable, printableJson, printableLine } from '../../../src/core/text/printable.js';

const ESCAPES = 'a\u001b[2J\u009b1m\r\t\u007f\u0000é\n✓';

test('printable text keeps line feeds and loses other control characters', () => {
  expect(printable(ESCAPES)).toBe('a [2J 1m    é\n✓');
  expect(printableLine(ESCAPES)).toBe('a [2J 1m    é ✓');
});

test('printable JSON has the same value and no control characters except line feeds between its parts', () => {
  const value = { [ESCAPES]: [ESCAPES, 1, undefined] };
  for (const indent of [undefined, 2]) {
    const json = printableJson(value, indent);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(json).not.toMatch(/[^\P{Cc}\n]/u);
  }
  expect(printableJson(undefined)).toBe('null');
});
