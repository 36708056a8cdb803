import fc from 'fast-check';
import { ecdsaSign, publicKeyCreate } from 'secp256k1';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import { modexp } from '../../../src/runtime/evm/modexp.js';
import { NO_BYTES, address, asBigInt, crypto, executed, fromHex, toHex, tx, word, world } from './support.js';

const at = world();
const precompile = (index: number, data: Uint8Array): { readonly output: string; readonly gasUsed: bigint } => {
  const result = executed(
    at.engine.call(at.state, tx({ to: address(index), data, gasLimit: 50_000_000n }), { fees: 'none' }, []),
  );
  return { output: toHex(result.output), gasUsed: result.gasUsed };
};
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('the ecrecover precompile', () => {
  const key = word(12345);
  const signer = toHex(crypto.keccak256(publicKeyCreate(key, false).slice(1)).slice(12));

  test('recovers the signer, and returns nothing for invalid signatures', () => {
    const digest = crypto.keccak256(fromHex('c0ffee'));
    const { signature, recid } = ecdsaSign(digest, key);
    const input = (
      v: number,
      r: Uint8Array = signature.slice(0, 32),
      s: Uint8Array = signature.slice(32),
    ): Uint8Array => joined(digest, word(v), r, s);
    expect(precompile(1, input(27 + recid)).output).toBe(signer.padStart(64, '0'));
    expect(precompile(1, input(28 - recid)).output).not.toBe(signer.padStart(64, '0'));
    expect(precompile(1, input(29)).output).toBe('');
    expect(precompile(1, input(27, word(0))).output).toBe('');
    expect(precompile(1, input(27, signature.slice(0, 32), word((1n << 256n) - 1n))).output).toBe('');
    expect(precompile(1, NO_BYTES).output).toBe('');
  });

  test('accepts s in the upper half of the order', () => {
    const digest = crypto.keccak256(fromHex('01'));
    const { signature, recid } = ecdsaSign(digest, key);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const high = word(order - asBigInt(signature.slice(32)));
    expect(precompile(1, joined(digest, word(28 - recid), signature.slice(0, 32), high)).output).toBe(
      signer.padStart(64, '0'),
    );
  });
});

describe('modexp', () => {
  const slow = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
    let result = 1n % modulus;
    for (const bit of exponent.toString(2)) {
      result = (result * result) % modulus;
      if (bit === '1') result = (result * base) % modulus;
    }
    return result;
  };

  test('of the precompile is correct for every length, whether the host or WebAssembly computes it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 32, 63, 64, 127, 128, 129, 200, 256),
        fc.integer({ min: 0, max: 40 }),
        fc.infiniteStream(fc.nat(255)),
        (size, exponentSize, stream) => {
          const take = (length: number): Uint8Array => Uint8Array.from({ length }, () => stream.next().value ?? 0);
          const [base, exponent, modulus] = [take(size), take(exponentSize), take(size)];
          const expected = asBigInt(modulus) === 0n ? 0n : slow(asBigInt(base), asBigInt(exponent), asBigInt(modulus));
          const { output } = precompile(5, joined(word(size), word(exponentSize), word(size), base, exponent, modulus));
          expect(output).toBe(expected.toString(16).padStart(size * 2, '0'));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test('of the host equals square-and-multiply bit by bit for random exponents', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(62, 63, 64, 160),
        fc.uint8Array({ maxLength: 170 }),
        fc.boolean(),
        fc.infiniteStream(fc.nat(255)),
        (size, exponent, isOdd, stream) => {
          const take = (length: number): Uint8Array => Uint8Array.from({ length }, () => stream.next().value ?? 0);
          const [base, modulus] = [take(size), take(size)];
          if (isOdd) modulus[size - 1] = (modulus[size - 1] ?? 0) | 1;
          const m = asBigInt(modulus);
          fc.pre(m !== 0n);
          expect(asBigInt(modexp(base, exponent, modulus))).toBe(slow(asBigInt(base), asBigInt(exponent), m));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  describe('of the host around the sizes of RSA keys', () => {
    const bytes = (value: bigint, length: number): Uint8Array => fromHex(value.toString(16).padStart(length * 2, '0'));
    /** Odd and composite, with a small factor. */
    const modulus = (bits: number): bigint => (3n * ((1n << BigInt(bits)) / 3n - 2n)) | 1n;
    const exponents = (m: bigint): readonly bigint[] => [
      0n,
      1n,
      2n,
      3n,
      4n,
      65_536n,
      65_537n,
      (1n << 64n) - 1n,
      1n << 64n,
      m - 2n,
      m - 1n,
      m,
      m + 1n,
    ];
    const check = (base: bigint, exponent: bigint, m: bigint, length: number): void => {
      const result = modexp(bytes(base, length), bytes(exponent, length + 8), bytes(m, length));
      expect(result.length).toBe(length);
      expect(asBigInt(result), `${base} ** ${exponent} mod ${m}`).toBe(slow(base % m, exponent, m));
    };

    test.each([496, 504, 505, 512, 1_024, 1_025])(
      'is correct for %i bits with edge exponents and edge bases',
      (bits) => {
        const m = modulus(bits);
        for (const exponent of exponents(m)) {
          for (const base of [0n, 1n, 2n, 3n, m / 2n, m - 1n, m, m + 1n])
            check(base, exponent, m, Math.ceil(bits / 8) + 3);
        }
      },
    );

    test.each([3_072, 3_073, 4_096])('is correct for %i bits with exponents around 64 bits', (bits) => {
      const m = modulus(bits);
      for (const exponent of [65_537n, (1n << 64n) - 1n, 1n << 64n, (1n << 65n) + 1n])
        check(m - 2n, exponent, m, (bits / 8 + 1) | 0);
    });

    test('is correct for an even modulus, a power of two and a prime', () => {
      for (const m of [modulus(1_024) - 1n, 1n << 1_023n, (1n << 521n) - 1n]) {
        for (const exponent of [2n, 65_537n, 1n << 200n]) check(m - 1n, exponent, m, 140);
      }
    });
  });

  test('returns zero for modulus one and modulus zero', () => {
    expect(toHex(modexp(word(3), word(0), word(1)))).toBe('00'.repeat(32));
    expect(toHex(modexp(word(3), word(0), word(0)))).toBe('00'.repeat(32));
  });
});
