/** Calls that a person types, encoded as viem encodes them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFunctionData, parseAbiItem } from 'viem';
import { encodeCall } from '../../../src/adapters/pages/browser/data/abi-encode.js';
import { crypto } from '../../../src/adapters/pages/browser/data/crypto.js';
import { itemOfLine } from '../../../src/core/abi/item.js';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function ours(line: string, texts: readonly string[]): string {
  const { selector, inputs } = itemOfLine(crypto, 'function', line);
  return encodeCall(selector, inputs, texts);
}

describe('encoding of a contract call', () => {
  it.each([
    ['transfer(address to, uint256 amount)', [ADDRESS, '0x10'], [ADDRESS, 16n]],
    [
      'set(string name, bytes data, bytes4 id, bool on)',
      ['hé, "x"', '0x0102', '0x01020304', 'true'],
      ['hé, "x"', '0x0102', '0x01020304', true],
    ],
    [
      'list(uint8[] a, int16[2] b)',
      ['[1, 2, 3]', '[-1, "5"]'],
      [
        [1, 2, 3],
        [-1, 5],
      ],
    ],
    ['nested(string[][] texts, uint256 last)', ['[["a"], [], ["b", "c"]]', '7'], [[['a'], [], ['b', 'c']], 7n]],
    ['none()', [], []],
  ] as const)('%s', (line, texts, args) => {
    const abi = [parseAbiItem(`function ${line}`)];
    expect(ours(line, texts)).toBe(encodeFunctionData({ abi, args } as never));
  });

  it('accepts a struct as a list or as an object', () => {
    const line = 'give((address who, string why)[] gifts, (uint256 a, bytes b) one)';
    const abi = [parseAbiItem(`function ${line}`)];
    const args = [[{ who: ADDRESS, why: 'x' }], { a: 1n, b: '0xff' }];
    const expected = encodeFunctionData({ abi, args } as never);
    expect(ours(line, [`[{"who":"${ADDRESS}","why":"x"}]`, '[1,"0xff"]'])).toBe(expected);
  });

  it('encodes numbers of every size like viem', () => {
    const abi = [parseAbiItem('function f(uint256 a, int256 b)')];
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n), (a, b) => {
        expect(ours('f(uint256 a, int256 b)', [`${a}`, `${b}`])).toBe(
          encodeFunctionData({ abi, functionName: 'f', args: [a, b] }),
        );
      }),
    );
  });

  it.each([
    ['f(uint8 a)', ['256'], 'a: 256 is no uint8'],
    ['f(uint8 a)', ['-1'], 'a: -1 is no uint8'],
    ['f(uint256)', ['x'], 'argument 0: uint256 is a whole number'],
    ['f(address to)', ['0x12'], 'to: an address has 0x and 40 hexadecimal digits'],
    ['f(bool b)', ['yes'], 'b: bool is true or false'],
    ['f(bytes2 b)', ['0x01'], 'b: bytes2 is 0x and 4 digits'],
    ['f(uint8[2] l)', ['[1]'], 'l: uint8[2] has 2 items, not 1'],
    ['f(uint8[] l)', ['1,2'], 'l: uint8[] is written as JSON, for example [1, 2]'],
    ['f(uint256[] l)', ['[1e300]'], 'l: 1e+300 is not exact: write it as a text'],
  ])('%s of %j is refused with a reason', (line, texts, reason) => {
    expect(() => ours(line, texts)).toThrow(reason);
  });
});
