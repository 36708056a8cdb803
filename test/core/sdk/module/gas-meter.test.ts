/** A gas meter compared with the sum of its charges, in numbers and in bigints, up to the highest limits. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GasMeter, MAX_GAS, OutOfGas } from '../../../../src/core/sdk/module/gas.js';

/** Numbers on both sides of what the meter adds as numbers. */
const small = fc.oneof(fc.nat(5_000), fc.maxSafeNat());
const large = fc.bigInt({ min: 0n, max: MAX_GAS });
const charge = fc.oneof(
  fc.record({ do: fc.constant('small' as const), amount: small }),
  fc.record({ do: fc.constant('all' as const), amount: fc.nat() }),
  fc.record({ do: fc.constant('large' as const), amount: large }),
  fc.record({ do: fc.constant('replace' as const), amount: large }),
);
const limits = fc.option(fc.oneof(large, fc.bigInt({ min: 0n, max: 20_000n })), { nil: undefined });

function fails(charging: () => void): boolean {
  try {
    charging();
    return false;
  } catch (error) {
    if (error instanceof OutOfGas) return true;
    throw error;
  }
}

it('a gas meter counts every charge exactly, and fails from the first charge beyond its limit', () => {
  fc.assert(
    fc.property(limits, fc.array(charge, { maxLength: 30 }), (limit, charges) => {
      const meter = new GasMeter(limit);
      let sum = 0n;
      const isOver = (): boolean => limit !== undefined && sum > limit;
      for (const { do: kind, amount } of charges) {
        const before = sum;
        sum = kind === 'replace' ? BigInt(amount) : sum + BigInt(amount);
        switch (kind) {
          case 'small':
            expect(fails(() => meter.consumeSmall(amount, 'here'))).toBe(isOver());
            break;
          case 'large':
            expect(fails(() => meter.consume(amount, 'here'))).toBe(isOver());
            break;
          case 'all':
            expect(meter.consumeAll(amount)).toBe(!isOver());
            if (isOver()) sum = before;
            break;
          case 'replace':
            meter.replace(amount);
        }
        expect(meter.consumed).toBe(sum);
        expect(meter.consumedToLimit).toBe(isOver() ? limit : sum);
        expect(meter.isOutOfGas).toBe(limit !== undefined && sum >= limit);
      }
    }),
  );
});
