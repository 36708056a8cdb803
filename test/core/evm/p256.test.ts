/** The P-256 precompile at 0x100 (EIP-7951), which `chronicle` has since its fork is Osaka. */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presets } from '../../../src/core/app/presets.js';
import { propertyRuns } from '../../support/property-runs.js';
import { address, asBigInt, executed, fromHex, toHex, tx, word, world } from './support.js';

/** Path of `assets/eip-7951/test-vectors.json` of ethereum/EIPs, or of another file of its form. */
const OFFICIAL = process.env['CHRONICLED_P256_VECTORS'];
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const GAS = 6_900n;

interface Vector {
  readonly Input: string;
  readonly Expected: string;
  readonly Name: string;
}

const at = world();
const caller = address(0xca11);
// Calls 0x100 with its input and returns the gas used.
at.state.putCode(caller, '365f5f375a5f5f365f6101005afa505a90035f5260205ff3');

const verified = (input: Uint8Array): string =>
  toHex(
    executed(
      at.engine.call(at.state, tx({ to: address(0x100), data: input, gasLimit: 10_000_000n }), { fees: 'none' }, []),
    ).output,
  );
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const YES = toHex(word(1));

interface Signed {
  readonly message: Uint8Array;
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly x: Uint8Array;
  readonly y: Uint8Array;
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x: keyX = '', y: keyY = '' } = publicKey.export({ format: 'jwk' });

function signed(message: Uint8Array): Signed {
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    message,
    r: signature.subarray(0, 32),
    s: signature.subarray(32),
    x: Buffer.from(keyX, 'base64url'),
    y: Buffer.from(keyY, 'base64url'),
  };
}

const inputOf = ({ message, r, s, x, y }: Signed): Uint8Array =>
  joined(createHash('sha256').update(message).digest(), r, s, x, y);

/** The verdict of OpenSSL; a point that is not on the curve is an invalid key. */
function openssl({ message, r, s, x, y }: Signed): boolean {
  try {
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: Buffer.from(x).toString('base64url'),
        y: Buffer.from(y).toString('base64url'),
      },
    });
    return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, joined(r, s));
  } catch {
    return false;
  }
}

describe('the P-256 precompile', () => {
  test('exists in the preset chronicle and in no fork before Osaka', () => {
    expect(presets['chronicle']?.evm.fork).toBe('osaka');
    const before = world({ block: { fork: 'prague' } });
    const input = inputOf(signed(fromHex('c0ffee')));
    expect(verified(input)).toBe(YES);
    expect(
      executed(
        before.engine.call(
          before.state,
          tx({ to: address(0x100), data: input, gasLimit: 10_000_000n }),
          { fees: 'none' },
          [],
        ),
      ).output,
    ).toHaveLength(0);
  });

  test('agrees with OpenSSL on valid and changed signatures, with s in either half', () => {
    const change = fc.constantFrom<keyof Signed>('message', 'r', 's', 'x', 'y');
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.option(fc.tuple(change, fc.nat(255), fc.nat(7))),
        fc.boolean(),
        (message, flip, high) => {
          const good = signed(message);
          const one = high ? { ...good, s: word(ORDER - asBigInt(good.s)) } : good;
          const field = flip === null ? undefined : Uint8Array.from(one[flip[0]]);
          if (flip !== null && field !== undefined)
            field[flip[1] % field.length] = (field[flip[1] % field.length] ?? 0) ^ (1 << flip[2]);
          const tried = flip === null || field === undefined ? one : { ...one, [flip[0]]: field };
          expect(verified(inputOf(tried))).toBe(openssl(tried) ? YES : '');
          if (flip === null) expect(openssl(tried)).toBe(true);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test.each([
    ['r of zero', { r: word(0) }],
    ['s of zero', { s: word(0) }],
    ['r of the order', { r: word(ORDER) }],
    ['s of the order', { s: word(ORDER) }],
    ['the point at infinity', { x: word(0), y: word(0) }],
    ['x beyond the field', { x: word((1n << 256n) - 1n) }],
  ])('returns nothing for %s', (_, fields) => {
    expect(verified(inputOf({ ...signed(fromHex('01')), ...fields }))).toBe('');
  });

  test('returns nothing for another input length, and charges its gas for any input', () => {
    const input = inputOf(signed(fromHex('02')));
    for (const data of [input.slice(1), joined(input, Uint8Array.of(0)), new Uint8Array(0)])
      expect(verified(data)).toBe('');
    const costs = [input, new Uint8Array(0)].map((data) => {
      const result = executed(
        at.engine.call(at.state, tx({ to: caller, data, gasLimit: 10_000_000n }), { fees: 'none' }, []),
      );
      return asBigInt(result.output);
    });
    // The warm call itself and the opcodes between the two GAS.
    for (const cost of costs) expect(cost - GAS).toBeGreaterThan(100n);
    for (const cost of costs) expect(cost - GAS).toBeLessThan(140n);
  });

  test.skipIf(OFFICIAL === undefined)('agrees with the official vectors', () => {
    // The file is not part of this repository.
    const vectors: readonly Vector[] = JSON.parse(readFileSync(OFFICIAL ?? '', 'utf8'));
    const wrong = vectors
      .filter(({ Input, Expected }) => verified(fromHex(Input)) !== Expected)
      .map(({ Name }) => Name);
    console.log(`P-256: ${vectors.length} vectors, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  });
});
