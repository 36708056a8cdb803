/** Each height of golden chain-a alone, over the recorded state before it (`recorded-heights.ts`). */
import { describe, expect, test } from 'vitest';
import { evmd } from '../../../src/core/app/presets.js';
import { hasGolden } from '../../support/golden.js';
import { compareHeights, type ComparedHeight } from './recorded-heights.js';

describe.skipIf(!hasGolden)('each height of chain-a, executed on the recorded state before it,', () => {
  const compared: readonly ComparedHeight[] = hasGolden ? [...compareHeights()] : [];

  test('is compared (713 heights, more than 200 with results)', () => {
    expect(compared).toHaveLength(713);
    expect(compared.filter(({ results }) => results !== undefined).length).toBeGreaterThan(200);
  });

  test.each(evmd.stores)('writes the recorded rows of store %s', (store) => {
    const different = compared.flatMap(({ height, writes }) => (writes.get(store) ?? []).map((text) => [height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });

  test.each(['results', 'events', 'validatorUpdates'] as const)('gives the recorded %s', (kind) => {
    const different = compared.flatMap((one) => (one[kind] ?? []).map((text) => [one.height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });
});
