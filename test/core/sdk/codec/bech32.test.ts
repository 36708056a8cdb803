/** Our bech32 codec, compared with `@scure/base`, and errors of addresses (cosmos-sdk v0.53 `types/address.go`). */
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../../src/core/bytes/bytes.js';
import { addressRefusal, decodeBech32, encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { readBech32Address } from '../../../../src/core/sdk/codec/bech32-address.js';
import { readBech32, writeBech32 } from '../../../../src/core/sdk/codec/bech32.js';

const prefixes = fc
  .array(fc.constantFrom('a', 'b', 'q', 'z', '0', '1', '9', '_', '~', '!'), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join(''));
const addresses = fc.uint8Array({ maxLength: 64 });
const written = (prefix: string, bytes: Uint8Array): string => bech32.encode(prefix, bech32.toWords(bytes), 1023);

describe('our bech32 codec', () => {
  it('encodes as the library does', () => {
    fc.assert(
      fc.property(prefixes, addresses, (prefix, bytes) => {
        expect(text(writeBech32(utf8(prefix), bytes))).toBe(written(prefix, bytes));
      }),
    );
  });

  it('decodes as the library does, also texts with changed letters', () => {
    const letters = fc.constantFrom('', '1', 'q', 'b', 'Q', ' ', '\u007f', 'é', 'qq');
    const changes = fc.array(fc.tuple(fc.nat(), letters), { maxLength: 2 });
    fc.assert(
      fc.property(prefixes, addresses, changes, fc.boolean(), (prefix, bytes, changed, isUpper) => {
        let name = written(prefix, bytes);
        for (const [at, letter] of changed) {
          const index = at % (name.length + 1);
          name = name.slice(0, index) + letter + name.slice(index + 1);
        }
        if (isUpper) name = name.toUpperCase();
        const read = readBech32(utf8(name));
        expect(read.ok ? { prefix: read.prefix, bytes: read.bytes } : undefined).toEqual(decodeBech32(name));
      }),
      { numRuns: 1_000 },
    );
  });
});

const twenty = new Uint8Array(20).fill(1);

describe('reading an address', () => {
  it.each([
    ['', 'undefined 1: empty address string is not allowed'],
    [' \u0085\t', 'undefined 1: empty address string is not allowed'],
    ['\ufeff', 'undefined 1: decoding bech32 failed: invalid bech32 string length 3'],
    ['cosmos', 'undefined 1: decoding bech32 failed: invalid bech32 string length 6'],
    [
      'cosmos1qqqqqqq',
      `undefined 1: decoding bech32 failed: invalid checksum (expected ${bech32.encode('cosmos', [0]).slice(-6)} got qqqqqq)`,
    ],
    ['cosmos1pnjntc6', 'undefined 1: decoding bech32 failed: invalid incomplete group'],
    [written('osmo', twenty), 'undefined 1: invalid Bech32 prefix; expected cosmos, got osmo'],
    [written('cosmos', new Uint8Array()), 'sdk 9: addresses cannot be empty: unknown address'],
    [written('cosmos', new Uint8Array(256)), 'sdk 9: address max length is 255, got 256: unknown address'],
  ])('refuses %j with the error of the SDK', (name, expected) => {
    const read = readBech32Address('cosmos', name);
    if (read.ok) throw new Error('it is an address');
    const { registered, message } = read.error;
    expect(`${registered.codespace} ${registered.code}: ${message}`).toBe(expected);
  });

  it('refuses a wrong length with the same error when hexadecimal addresses are allowed', () => {
    expect(addressRefusal('cosmos', encodeAddress('cosmos', new Uint8Array(256))).message).toBe(
      'address max length is 255, got 256: unknown address',
    );
    expect(addressRefusal('cosmos', encodeAddress('cosmos', new Uint8Array())).message).toBe(
      'addresses cannot be empty: unknown address',
    );
  });
});
