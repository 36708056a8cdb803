import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gasShortage, isGasShortage } from '../../../src/core/ethereum/gas-rules.js';

const to = new Uint8Array(20);

test('the gas limit must cover the intrinsic gas and the calldata floor (EIP-7623)', () => {
  const zeros = new Uint8Array(100);
  const data = new Uint8Array(100).fill(1);
  expect(gasShortage({ to, data: new Uint8Array() }, 20_999n)).toEqual({
    text: 'intrinsic gas too low',
    needed: 21_000n,
  });
  expect(gasShortage({ to, data: new Uint8Array() }, 21_000n)).toBeUndefined();
  // A nonzero byte costs 16, and 40 in the floor; a zero byte 4, and 10.
  expect(gasShortage({ to, data }, 22_599n)).toEqual({ text: 'intrinsic gas too low', needed: 22_600n });
  expect(gasShortage({ to, data }, 22_600n)).toEqual({
    text: 'insufficient gas for floor data gas cost',
    needed: 25_000n,
  });
  expect(gasShortage({ to, data }, 25_000n)).toBeUndefined();
  expect(gasShortage({ to, data: zeros }, 21_999n)?.needed).toBe(22_000n);
  // Storage keys of an access list count for the intrinsic gas alone, which is higher than the floor here.
  const accessList = [{ storageKeys: [1, 2] }];
  expect(gasShortage({ to, data, accessList }, 28_799n)).toEqual({ text: 'intrinsic gas too low', needed: 28_800n });
  expect(gasShortage({ to, data, accessList }, 28_800n)).toBeUndefined();
});

test('a gas shortage names the lowest limit that the rule accepts, and isGasShortage recognizes its text', () => {
  const priced = fc.record({ to: fc.constantFrom(to, undefined), data: fc.uint8Array({ maxLength: 200 }) });
  fc.assert(
    fc.property(priced, fc.bigInt(0n, 100_000n), (transaction, limit) => {
      const shortage = gasShortage(transaction, limit);
      if (shortage === undefined) return;
      expect(shortage.needed > limit).toBe(true);
      expect(isGasShortage(`${shortage.text}: have ${limit}, want ${shortage.needed}`)).toBe(true);
      expect(gasShortage(transaction, shortage.needed)?.text).not.toBe(shortage.text);
      expect(gasShortage(transaction, shortage.needed - 1n)?.needed).toBe(shortage.needed);
    }),
  );
  expect(isGasShortage('out of gas')).toBe(false);
});
