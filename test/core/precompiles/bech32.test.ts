/** The bech32 precompile: what Go's library (github.com/cosmos/btcutil v1.0.5) makes of any text. */
import { concatHex, numberToHex, padHex, size, stringToHex, toFunctionSelector, toHex, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { bech32Contract } from '../../../src/core/precompiles/bech32/contract.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import type { ContractCall } from '../../../src/core/sdk/module/stateful-precompile.js';
import { crypto, fromHex } from '../app/support.js';

const ADDRESS: Hex = '0x010e1b2835424f5c697683909daab7c4d1deebf8';
const TEXT = 'cosmos1qy8pk2p4gf84c6tkswgfm24hcngaa6lcdzvna6';

const word = (value: Hex): Hex => padHex(value, { size: 32 });
const padded = (text: Hex): Hex => padHex(text, { size: Math.ceil(size(text) / 32) * 32, dir: 'right' });

function run(signature: string, heads: readonly Hex[], text: Hex): Hex {
  const offset = numberToHex(32 * (heads.length + 1));
  const input = concatHex([
    toFunctionSelector(signature),
    ...heads.map(word),
    word(offset),
    word(toHex(size(text))),
    padded(text),
  ]);
  const context = { crypto, chain: { bech32Prefix: 'cosmos' } } as unknown as Context;
  return toHex(bech32Contract.run(context, { input: fromHex(input.slice(2)) } as ContractCall));
}

const written = (prefix: Hex): Hex => run('hexToBech32(address,string)', [ADDRESS], prefix);
const read = (text: string): Hex => run('bech32ToHex(string)', [], `0x${Buffer.from(text, 'latin1').toString('hex')}`);
const answer = (text: Hex): Hex => concatHex([word('0x20'), word(toHex(size(text))), padded(text)]);

describe('bech32 addresses', () => {
  test.each([
    ['cosmos', stringToHex('cosmos'), stringToHex(TEXT)],
    ['capitals', stringToHex('OSMO'), stringToHex('osmo1qy8pk2p4gf84c6tkswgfm24hcngaa6lc9elrtg')],
    ['a space', stringToHex('a b'), stringToHex('a b1qy8pk2p4gf84c6tkswgfm24hcngaa6lcuc05hf')],
    [
      'bytes that are no UTF-8',
      '0xffe28278',
      '0xefbfbdefbfbdefbfbd7831717938706b327034676638346336746b737767666d323468636e676161366c636738746d646e',
    ],
    [
      'other alphabets',
      stringToHex('İΣΑΣ'),
      '0x69cf83ceb1cf8331717938706b327034676638346336746b737767666d323468636e676161366c636c3976307574',
    ],
    ['a letter and a line break', stringToHex('ü\n'), stringToHex('ü\n1qy8pk2p4gf84c6tkswgfm24hcngaa6lc65wc7l')],
    ['the separator', stringToHex('1'), stringToHex('11qy8pk2p4gf84c6tkswgfm24hcngaa6lc5xp65d')],
    [
      'a long prefix',
      stringToHex('q'.repeat(1200)),
      stringToHex(`${'q'.repeat(1200)}1qy8pk2p4gf84c6tkswgfm24hcngaa6lchgjv77`),
    ],
  ] as const)('may have any prefix: %s', (_, prefix, expected) => {
    expect(written(prefix)).toBe(answer(expected));
  });

  test.each(['', ' \t\n', '\u0085\u00a0\u3000'])('need a prefix that is not blank: %j', (prefix) => {
    expect(() => written(stringToHex(prefix))).toThrow('invalid bech32 human readable prefix (HRP)');
  });

  test('may have a prefix that Unicode does not call white space', () => {
    expect(() => written(stringToHex('\ufeff'))).not.toThrow();
  });

  test('are decoded in lower case, and refused in upper case', () => {
    expect(read(TEXT)).toBe(word(ADDRESS));
    expect(() => read(TEXT.toUpperCase())).toThrow('invalid Bech32 prefix; expected COSMOS, got cosmos');
  });

  test.each([
    [`C${TEXT.slice(1)}`, 'string not all lowercase or all uppercase'],
    [`${TEXT.slice(0, -1)}q`, 'invalid checksum (expected dzvna6 got dzvnaq)'],
    ['1qqqqqqq', 'invalid separator index 0'],
    ['a1qqqqq', 'invalid bech32 string length 7'],
    ['cosmos1qqqqq', 'invalid separator index 6'],
    ['cosmos1bqqqqqq', 'invalid character not part of charset: 98'],
    ['cos mos1qqqqqqq', "invalid character in string: ' '"],
    ['cos\xffmos1qqqqqqq', "invalid character in string: 'ÿ'"],
    ['cosmos1pzrj5djha', 'invalid incomplete group'],
    ['cosmos1pnjntc6', 'invalid incomplete group'],
    [`${'q'.repeat(1030)}1qqqqqq`, 'invalid bech32 string length 1037'],
  ])('are refused with a reason: %s', (text, reason) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: `decoding bech32 failed: ${reason}` }));
  });
});
