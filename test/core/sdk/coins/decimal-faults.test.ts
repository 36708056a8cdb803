/** Errors of malformed decimals, as in cosmossdk.io/math v1.5.3; failed proposals keep them in the state. */
import { expect, test } from 'vitest';
import { decimalFault, parseSignedDec } from '../../../../src/core/sdk/coins/dec.js';

test.each([
  ['', 'decimal string cannot be empty'],
  ['-', 'decimal string cannot be empty'],
  ['.5', 'invalid decimal length'],
  ['5.', 'invalid decimal length'],
  ['-.5', 'invalid decimal length'],
  ['1.2.3', 'invalid decimal string'],
  [
    '0.1234567890123456789',
    "value '0.1234567890123456789' exceeds max precision by -1 decimal places: max precision 18",
  ],
  ['x', 'failed to set decimal string with base 10: x000000000000000000'],
  ['1.5e', 'failed to set decimal string with base 10: 15e0000000000000000'],
])('decimalFault names the error of %j', (text, fault) => {
  expect(parseSignedDec(text)).toBeUndefined();
  expect(decimalFault(text)).toBe(fault);
});
