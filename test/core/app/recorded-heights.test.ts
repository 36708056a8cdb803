/** Each height of golden chain-a alone, over the recorded state before it (`recorded-heights.ts`). */
import { describe, expect, test } from 'vitest';
import { evmd } from '../../../src/core/app/presets.js';
import { hasGolden } from '../../support/golden.js';
import { compareHeights, needsMore, type ComparedHeight } from './recorded-heights.js';

/** A transaction that is signed as SIGN_MODE_TEXTUAL. */
const SIGNED_OTHERWISE = [19];
/** Messages that panic in the Go node, a v1beta1 proposal and submitted evidence: the recorded texts have a stack. */
const PANICS: Readonly<Record<number, string>> = {
  50: 'code 111222 undefined\n  gas 73516 of 500000\n',
  171: 'code 111222 undefined\n  gas ',
};

describe.skipIf(!hasGolden)('each recorded height over the recorded state before it', () => {
  const compared: readonly ComparedHeight[] = hasGolden ? [...compareHeights()] : [];
  const judged = compared.filter(({ height }) => !needsMore(height) && !SIGNED_OTHERWISE.includes(height));

  test('almost all heights are judged', () => {
    expect(judged).toHaveLength(673);
    expect(judged.filter(({ results }) => results !== undefined).length).toBeGreaterThan(200);
  });

  test.each(evmd.stores)('store %s', (store) => {
    const different = judged.flatMap(({ height, writes }) => (writes.get(store) ?? []).map((text) => [height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });

  test.each(['results', 'events', 'validatorUpdates'] as const)('%s', (kind) => {
    const different = judged
      .filter(({ height }) => kind !== 'results' || PANICS[height] === undefined)
      .flatMap((one) => (one[kind] ?? []).map((text) => [one.height, text]));
    expect(different.slice(0, 5)).toEqual([]);
  });

  test.each(Object.entries(PANICS))('a panic at height %s has the recorded code and gas', (height, begin) => {
    const [text = '', ...others] = compared.find((one) => one.height === Number(height))?.results ?? [];
    const [ours = '', recorded = ''] = text.split('\n  recorded ');
    expect(others).toEqual([]);
    expect(ours).toContain(begin);
    expect(recorded).toContain(begin);
    const gas = /gas [0-9]+ of [0-9]+/;
    expect(gas.exec(ours)).toEqual(expect.arrayContaining(gas.exec(recorded) ?? ['no gas recorded']));
  });

  test('a transaction that is signed otherwise is refused and changes nothing', () => {
    for (const height of SIGNED_OTHERWISE)
      expect(compared.find((one) => one.height === height)?.results?.[0]).toMatch(/^0: ours code 4 sdk\n/);
  });
});
