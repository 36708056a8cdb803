import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../src/core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { keepDecoded, type KeptCodec } from '../../../src/core/state/decode-once.js';

interface Named {
  readonly name: string;
}

/** A codec, and the texts that it decoded. */
function counted(): { readonly codec: KeptCodec<Named>; readonly decoded: readonly string[] } {
  const decoded: string[] = [];
  const codec = keepDecoded<Named>({
    encode: ({ name }) => utf8(name),
    decode(bytes) {
      decoded.push(text(bytes));
      return { name: text(bytes) };
    },
  });
  return { codec, decoded };
}

const keyOf = (number: number): Uint8Array => utf8(`key ${number}`);

describe('a codec that keeps what it decoded', () => {
  it('decodes an array once, one that it encoded never, and other arrays with the same bytes again', () => {
    const { codec, decoded } = counted();
    const own = { name: 'own' };
    const encoded = codec.encode(keyOf(1), own);
    expect(codec.decode(keyOf(1), encoded)).toBe(own);
    expect(decoded).toEqual([]);
    const read = encoded.slice();
    expect(codec.decode(keyOf(1), read)).toEqual(own);
    expect(codec.decode(keyOf(1), read)).toBe(codec.decode(keyOf(1), read));
    expect(decoded).toEqual(['own']);
  });

  it('answers by the array, whatever was written since', () => {
    const { codec, decoded } = counted();
    const state = utf8('state');
    const other = codec.encode(keyOf(2), { name: 'other' });
    expect(codec.decode(keyOf(1), state).name).toBe('state');
    for (const name of ['first', 'second']) {
      const written = codec.encode(keyOf(1), { name });
      expect(codec.decode(keyOf(1), written).name).toBe(name);
      // as after a call, which changes nothing
      expect(codec.decode(keyOf(1), state).name).toBe('state');
    }
    expect(codec.decode(keyOf(2), other)).toEqual({ name: 'other' });
    expect(decoded).toEqual(['state']);
  });

  it('keeps no more than its limit', () => {
    const { codec, decoded } = counted();
    const encoded = Array.from({ length: FIXED_LIMITS.decodedRecords + 1 }, (_, number) =>
      codec.encode(keyOf(number), { name: `${number}` }),
    );
    const read = (number: number): string => codec.decode(keyOf(number), encoded[number] ?? utf8('')).name;
    expect(read(FIXED_LIMITS.decodedRecords)).toBe(`${FIXED_LIMITS.decodedRecords}`);
    expect(decoded).toEqual([]);
    expect(read(0)).toBe('0');
    expect(decoded).toEqual(['0']);
  });
});
