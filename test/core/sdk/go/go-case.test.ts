/** Upper case as Go 1.24 makes it with `strings.ToUpper`. */
import { expect, it } from 'vitest';
import { upperCase } from '../../../../src/core/sdk/go/go-case.js';

it.each([
  ['uatom', 'UATOM'],
  ['gamm/pool/1', 'GAMM/POOL/1'],
  ['ünit-ς-ß', 'ÜNIT-Σ-ß'],
  ['ŉ\u1f80\u1fb3\u1fc3', 'ŉ\u1f88\u1fbc\u1fcc'],
  ['\u019b\u{10d70}', '\u019b\u{10d70}'],
  ['𐐨ａ', '𐐀Ａ'],
])('upperCase of %s is that of Go', (text, expected) => {
  expect(upperCase(text)).toBe(expected);
});
