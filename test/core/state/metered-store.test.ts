/** Gas of reads and writes under any gas limit, with the location at which it runs out, as in the SDK. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GasMeter, MeteredStore, OutOfGas } from '../../../src/core/sdk/module/gas.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';

/** Charges of cosmos-sdk v0.53 `store/gaskv/store.go`, in order. */
function charges(access: 'get' | 'set', key: number, value: number): readonly (readonly [string, bigint])[] {
  const [flat, byte, name] = access === 'get' ? [1_000n, 3n, 'Read'] : [2_000n, 30n, 'Write'];
  return [
    [`${name}Flat`, flat],
    [`${name}PerByte`, byte * BigInt(key)],
    [`${name}PerByte`, byte * BigInt(value)],
  ];
}

it('a metered store runs out of gas at the first charge above the limit, and counts that charge', () => {
  const size = fc.nat(40);
  const access = fc.constantFrom('get' as const, 'set' as const);
  fc.assert(
    fc.property(access, size, size, fc.bigInt({ min: 0n, max: 5_000n }), (kind, keyLength, valueLength, limit) => {
      const [key, value] = [new Uint8Array(keyLength), new Uint8Array(valueLength)];
      const inner = new CacheStore(EMPTY_STATE);
      if (kind === 'get') inner.set('bank', key, value);
      const gas = new GasMeter(limit);
      const store = new MeteredStore(inner, gas);
      let consumed = 0n;
      let location: string | undefined;
      for (const [name, amount] of charges(kind, keyLength, valueLength)) {
        if (location !== undefined) break;
        consumed += amount;
        if (consumed > limit) location = name;
      }
      let ended: string | undefined;
      try {
        if (kind === 'get') expect(store.get('bank', key)).toBe(value);
        else store.set('bank', key, value);
      } catch (error) {
        if (!(error instanceof OutOfGas)) throw error;
        ended = error.location;
      }
      expect([gas.consumed, ended]).toEqual([consumed, location]);
      expect(inner.get('bank', key) !== undefined).toBe(kind === 'get' || location === undefined);
    }),
  );
});
