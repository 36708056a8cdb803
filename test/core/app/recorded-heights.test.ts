/** Each height of golden chain-a alone, over the recorded state before it (`recorded-heights.ts`). */
import { describe, expect, test } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import { compareHeights, needsMore, type ComparedHeight } from './recorded-heights.js';

/** Stores whose writes are those of the recorded node at every height that calls nothing else. */
const EQUAL_STORES = [
  'authz',
  'consensus',
  'distribution',
  'evidence',
  'feegrant',
  'gov',
  'ibc',
  'mint',
  'precisebank',
  'slashing',
  'staking',
  'transfer',
];

/** Heights of a store at which transactions have messages of a module that is not there yet. */
const LATER: Readonly<Record<string, readonly number[]>> = { distribution: [156], staking: [156] };

/** Heights whose transactions have the recorded results (code, log, gas, data, events), by module of their messages. */
const EQUAL_RESULTS: Readonly<Record<string, readonly number[]>> = {
  authz: [152, 153, 154, 155, 156, 157, 158, 159, 160],
  feegrant: [161, 162, 163, 164],
  vesting: [165, 166, 167, 168, 169],
  gov: [44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62],
  staking: [20, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43],
};
/** Heights at which proposals end. */
const ENDS_OF_PROPOSALS = [70, 87, 88, 89, 90, 91, 98, 219, 220];
/** A v1beta1 proposal panics here; the recorded text has a stack. */
const PANIC = 50;

describe.skipIf(!hasGolden)('each recorded height over the recorded state before it', () => {
  const compared: readonly ComparedHeight[] = hasGolden ? [...compareHeights()] : [];
  const judged = compared.filter(({ height }) => !needsMore(height));

  test.each(EQUAL_STORES)('store %s', (store) => {
    const different = judged
      .filter(({ height }) => !(LATER[store] ?? []).includes(height))
      .flatMap(({ height, writes }) => (writes.get(store) ?? []).map((text) => [height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });

  const at = (height: number): ComparedHeight | undefined => compared.find((one) => one.height === height);

  test.each(Object.entries(EQUAL_RESULTS))('results of messages of %s', (_, heights) => {
    expect(heights.flatMap((height) => at(height)?.results ?? ['not recorded'])).toEqual([]);
  });

  test('events of blocks in which proposals end', () => {
    expect(ENDS_OF_PROPOSALS.flatMap((height) => at(height)?.events ?? ['not recorded'])).toEqual([]);
  });

  test('the panic of a v1beta1 proposal takes the recorded gas', () => {
    const [text = ''] = at(PANIC)?.results ?? [];
    const [ours = '', recorded = ''] = text.split('\n  recorded ');
    expect(ours).toContain('code 111222 undefined\n  gas 73516 of 500000\n');
    expect(recorded).toContain('code 111222 undefined\n  gas 73516 of 500000\n');
  });

  test('changes of the validator set', () => {
    const different = judged.filter(({ height, validatorUpdates }) => height !== 156 && validatorUpdates?.length);
    expect(different.map(({ height }) => height)).toEqual([]);
  });
});
