import { expect, it } from 'vitest';
import { bytes, bytesHash, hexHash } from '../../../src/adapters/comet-rpc/params.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';

it.each([
  ['base64', bytesHash],
  ['hex', hexHash],
])('a value far longer than a hash is refused before it is decoded (%s)', (_name, type) => {
  const decoded = (characters: number) =>
    type.json(`"${'A'.repeat(characters - 2)}"`, { strict: false, limits: DEFAULT_LIMITS });
  expect(decoded(66)).toEqual({ ok: true, value: new Uint8Array(32).fill(0xaa) });
  expect(decoded(1_026)).toEqual({ ok: false, error: 'a hash of 1026 characters, at most 1024' });
});

it.each([
  ['YR==', { ok: true, value: Uint8Array.of(0x61) }],
  ['Y===', { ok: false, error: 'illegal base64 data at input byte 1' }],
  ['YW\\nI', { ok: false, error: 'illegal base64 data at input byte 1' }],
])('base64 %s is decoded as in Go', (text, expected) => {
  expect(bytes.json(`"${text}"`, { strict: false, limits: DEFAULT_LIMITS })).toEqual(expected);
});
