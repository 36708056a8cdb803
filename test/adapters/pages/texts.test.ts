/** Texts of amounts, times and ids in the explorer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prunedStateText } from '../../../src/core/sdk/module/query-error.js';
import {
  ageText,
  amountOf,
  amountText,
  gweiText,
  lastName,
  meaningOf,
  shareText,
  shortText,
  sizeText,
} from '../../../src/adapters/pages/browser/data/format.js';

describe('amounts', () => {
  it('have thousands separators and the requested decimals, and a tiny amount never looks like zero', () => {
    const coin = 10n ** 18n;
    expect([
      amountText(10_000n * coin, 18),
      amountText(coin / 2n, 18),
      amountText(1n, 18),
      amountText(-1_234_567n * coin, 18),
      amountText(0n, 18),
      amountText(1_234n, 0),
      amountText(1n, 18, 18),
    ]).toEqual(['10,000', '0.5', '<0.000001', '-1,234,567', '0', '1,234', '0.000000000000000001']);
  });

  it('with all decimals are parsed back', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 190n), fc.nat(30), (amount, decimals) => {
        expect(amountOf(amountText(amount, decimals, decimals).replaceAll(',', ''), decimals)).toBe(amount);
      }),
    );
  });

  it('with a sign, an exponent or too many decimals are refused', () => {
    for (const wrong of ['-1', '1e3', '', '.', '0x1', '1.23']) expect(amountOf(wrong, 1)).toBeUndefined();
  });
});

it('an error about a pruned height and one about a disabled method are explained differently', () => {
  for (const text of [
    'height 3 is not available, lowest height is 9',
    prunedStateText(3n, 9n),
    `${prunedStateText(3n, 9n)}: not found`,
    'missing trie node 12 (path ) state 0x12 is not available',
  ])
    expect(meaningOf(text)).toContain('pruned');
  expect(meaningOf('the method chronicle_actors does not exist/is not available')).toContain('--json-rpc.api');
  expect(meaningOf('proposal 9 does not exist')).toBe('');
});

it('ids, ages, sizes, prices, shares and names are shortened', () => {
  expect([
    shortText('0x1234567890abcdef1234'),
    shortText('short'),
    ageText(59_999),
    ageText(3_600_000),
    ageText(86_400_000),
    ageText(-5),
    sizeText(1_023),
    sizeText(1_536),
    gweiText(7n),
    gweiText(1_040_000_000n),
    shareText(1n, 3n),
    shareText(1n, 0n),
    lastName('/cosmos.bank.v1beta1.MsgSend'),
  ]).toEqual([
    '0x123456…ef1234',
    'short',
    '59 s',
    '1 h',
    '1 day',
    '0 s',
    '1023 B',
    '1.5 KiB',
    '7 wei',
    '1.04 gwei',
    '33.33%',
    '0%',
    'MsgSend',
  ]);
});
