/** Capitals as Go 1.24 answers them for `strings.ToUpper`. */
import { expect, it } from 'vitest';
import { upperCase } from '../../../../src/core/sdk/go/go-case.js';

it.each([
  ['uatom', 'UATOM'],
  ['gamm/pool/1', 'GAMM/POOL/1'],
  ['ünit-ς-ß', 'ÜNIT-Σ-ß'],
  ['ŉ\u1f80\u1fb3\u1fc3', 'ŉ\u1f88\u1fbc\u1fcc'],
  ['\u019b\u{10d70}', '\u019b\u{10d70}'],
  ['𐐨ａ', '𐐀Ａ'],
])('of %s', (text, expected) => {
  expect(upperCase(text)).toBe(expected);
});
