import fc from 'fast-check';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, it } from 'vitest';
import { bloomBits } from '../../../src/core/ethereum/bloom.js';

const crypto = { keccak256: (data: Uint8Array) => keccak_256(data) };

/** Yellow paper 4.3.1: three bits, each the low 11 bits of one of the first three byte pairs, from the right. */
function bitsOf(value: Uint8Array): readonly number[] {
  const view = new DataView(keccak_256(value).slice().buffer);
  return [0, 2, 4].map((at) => 2_047 - (view.getUint16(at) % 2_048));
}

it('bloomBits gives the bits of each value, also for values with equal last bytes (cache)', () => {
  const value = fc
    .tuple(fc.uint8Array({ maxLength: 32 }), fc.constantFrom([], [1], [7, 1], [3, 7, 1]))
    .map(([start, end]) => Uint8Array.from([...start, ...end]));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 10 }), (values) => {
      for (const one of [...values, ...values.toReversed()]) expect(bloomBits(crypto, one)).toEqual(bitsOf(one));
    }),
  );
});

it('bloomBits caches a copy of the value, so a later change of the array does no harm', () => {
  const value = Uint8Array.of(1, 2, 3);
  bloomBits(crypto, value);
  value[0] = 9;
  expect(bloomBits(crypto, Uint8Array.of(1, 2, 3))).toEqual(bitsOf(Uint8Array.of(1, 2, 3)));
});
