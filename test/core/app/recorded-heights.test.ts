/** Each height of golden chain-a alone, over the recorded state before it (`recorded-heights.ts`). */
import { describe, expect, test } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import { compareHeights, needsMore, type ComparedHeight } from './recorded-heights.js';

/** Stores whose writes are those of the recorded node at every height that calls nothing else. */
const EQUAL_STORES = [
  'consensus',
  'distribution',
  'evidence',
  'gov',
  'ibc',
  'mint',
  'precisebank',
  'slashing',
  'transfer',
];

/** Heights of a store at which transactions have messages of a module that is not there yet. */
const LATER: Readonly<Record<string, readonly number[]>> = { distribution: [156] };

describe.skipIf(!hasGolden)('each recorded height over the recorded state before it', () => {
  const compared: readonly ComparedHeight[] = hasGolden ? [...compareHeights()] : [];
  const judged = compared.filter(({ height }) => !needsMore(height));

  test.each(EQUAL_STORES)('store %s', (store) => {
    const different = judged
      .filter(({ height }) => !(LATER[store] ?? []).includes(height))
      .flatMap(({ height, writes }) => (writes.get(store) ?? []).map((text) => [height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });
});
