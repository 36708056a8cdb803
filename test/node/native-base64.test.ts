import { expect, test } from 'vitest';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { toBase64 } from '../../src/core/bytes/base64.js';
import { base64Decode as native } from '../../src/runtime/host/native-base64.js';

test('descriptors are the same bytes by native code as by the library, of every length, with padding and without', () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 151 + length * 7) % 256);
    const padded = toBase64(bytes);
    for (const text of [padded, padded.replaceAll('=', '')]) {
      expect(Uint8Array.from(native(text))).toEqual(bytes);
      expect(Uint8Array.from(base64Decode(text))).toEqual(bytes);
    }
  }
});
