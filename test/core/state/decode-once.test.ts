import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../src/core/bytes/bytes.js';
import { keepDecoded } from '../../../src/core/state/decode-once.js';

describe('a codec that keeps what it decoded', () => {
  it('decodes an array once, one that it encoded never, and other arrays with the same bytes again', () => {
    const decoded: string[] = [];
    const codec = keepDecoded<{ readonly name: string }>({
      encode: ({ name }) => utf8(name),
      decode(bytes) {
        decoded.push(text(bytes));
        return { name: text(bytes) };
      },
    });
    const own = { name: 'own' };
    const encoded = codec.encode(own);
    expect(codec.decode(encoded)).toBe(own);
    expect(decoded).toEqual([]);
    const read = encoded.slice();
    expect(codec.decode(read)).toEqual(own);
    expect(codec.decode(read)).toBe(codec.decode(read));
    expect(decoded).toEqual(['own']);
  });
});
