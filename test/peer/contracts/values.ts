/** Arguments of the precompiles: one that is right, and others that are wrong each in its own way. */
import { bech32 } from '@scure/base';
import { type Hex, hexToBytes, toHex } from 'viem';

/** Stands in arguments where the caller of a contract has its own address. */
export const CALLER = Symbol('the caller');

/** Text and bytes are in hexadecimal: a text need not be UTF-8. */
export type Value = Hex | bigint | boolean | typeof CALLER | readonly Value[];

export interface Argument {
  readonly right: Value;
  readonly wrong: readonly Value[];
}

const end = (bits: bigint): bigint => (1n << bits) - 1n;

export const text = (value: string): Hex => toHex(Buffer.from(value));
export const named = (prefix: string, address: Hex): string =>
  bech32.encode(prefix, bech32.toWords(hexToBytes(address)), 1023);
export const operator = (address: Hex): Hex => text(named('cosmosvaloper', address));

const ZERO: Hex = `0x${'00'.repeat(20)}`;
const STRANGER: Hex = `0x${'5a'.repeat(20)}`;
const NOT_UTF8: Hex = '0x636fff736d80';
/** Half of a surrogate pair, an overlong form, and what is beyond Unicode. */
const OTHER_BYTES: readonly Hex[] = ['0xeda080', '0xc080', '0xf4908080', '0x00'];

export const address = (right: Value, ...others: readonly Hex[]): Argument => ({
  right,
  wrong: [ZERO, STRANGER, `0x${'ff'.repeat(20)}`, '0x0000000000000000000000000000000000000800', ...others],
});

export const unsigned = (bits: 8 | 32 | 64 | 256, right: bigint, ...others: readonly bigint[]): Argument => ({
  right,
  wrong: [0n, 1n, end(BigInt(bits)), 1n << BigInt(bits - 1), end(BigInt(bits - 1)), ...others],
});

export const signed = (right: bigint, ...others: readonly bigint[]): Argument => ({
  right,
  wrong: [0n, 1n, -1n, -2n, end(255n), -(1n << 255n), 1n << 64n, ...others],
});

/** A height in 256 bits, of which Go takes 64. */
export const height = (right: bigint): Argument => unsigned(256, right, (1n << 64n) + right, (1n << 63n) + right, 3n);

const texts = (...list: readonly string[]): readonly Hex[] => list.map(text);

export const words = (right: string, ...others: readonly string[]): Argument => ({
  right: text(right),
  wrong: [...texts('', ' ', 'x', 'a'.repeat(600), ...others), NOT_UTF8, ...OTHER_BYTES],
});

/** The text of an operator. */
export const operatorName = (right: Hex, ...others: readonly Hex[]): Argument => ({
  right: operator(right),
  wrong: [
    ...others.map(operator),
    operator(STRANGER),
    operator(ZERO),
    operator('0x'),
    operator(`0x${'11'.repeat(32)}`),
    operator(`0x${'11'.repeat(256)}`),
    ...texts(
      '',
      ' ',
      'x',
      right,
      named('cosmos', right),
      named('cosmosvalcons', right),
      named('osmovaloper', right),
      named('cosmosvaloper', right).toUpperCase(),
      `${named('cosmosvaloper', right).slice(0, -1)}b`,
      ` ${named('cosmosvaloper', right)}`,
      'cosmosvaloper1',
      'a'.repeat(600),
    ),
    NOT_UTF8,
    toHex(Buffer.concat([Buffer.from(named('cosmosvaloper', right)), Buffer.from([0xff])])),
  ],
});

type Page = readonly [key: Hex, offset: bigint, limit: bigint, countTotal: boolean, reverse: boolean];
const KEY: Hex = `0x${'14'.repeat(21)}`;
const PAGES: readonly Page[] = [
  ['0x', 0n, 0n, true, false],
  ['0x', 0n, 1n, false, true],
  ['0x', 1n, 1n, true, false],
  ['0x', 1n, 1n, true, true],
  ['0x', 5n, 0n, false, false],
  ['0x', 0n, end(64n), true, false],
  ['0x', 0n, 1n << 63n, false, false],
  ['0x', end(64n), 10n, true, false],
  ['0x', end(63n), 10n, false, false],
  ['0x', end(64n), end(64n), true, true],
  ['0x00', 0n, 10n, false, false],
  ['0x00', 0n, 10n, true, true],
  ['0x00', 1n, 10n, true, false],
  ['0x01', 0n, 1n, true, false],
  ['0x0000', 0n, 2n, true, false],
  [KEY, 0n, 10n, false, false],
  [KEY, 0n, 10n, true, true],
  [KEY, 1n, 10n, false, false],
  ['0xff', 0n, 10n, true, true],
  ['0xff', 0n, 0n, true, false],
  [`0x${'ff'.repeat(300)}`, 0n, 0n, true, true],
];
export const page: Argument = { right: ['0x', 0n, 10n, true, false], wrong: PAGES };

type Coin = readonly [denom: Hex, amount: bigint];
const coin = (denom: string, amount: bigint): Coin => [text(denom), amount];
const LISTS: readonly (readonly Coin[])[] = [
  [],
  [coin('aoak', 0n)],
  [coin('aoak', end(256n))],
  [coin('aoak', 1n << 255n)],
  [coin('', 1n)],
  [coin('x', 1n)],
  [coin('1aoak', 1n)],
  [coin('AOAK', 1n)],
  [coin(' aoak', 1n)],
  [coin('nothing', 1n)],
  [coin('a'.repeat(128), 1n)],
  [coin('a'.repeat(129), 1n)],
  [[NOT_UTF8, 1n]],
  [coin('aoak', 5n), coin('ucoin', 2n)],
  [coin('ucoin', 2n), coin('aoak', 5n)],
  [coin('aoak', 5n), coin('aoak', 6n)],
  [coin('aoak', 5n), coin('ucoin', 0n)],
  [coin('aoak', 5n), coin('', 1n)],
  [coin('ucoin', 1n)],
  [coin('ucoin', 10n ** 12n)],
  Array.from({ length: 40 }, (_, index) => coin(`coin${(index * 7) % 40}`, BigInt(index + 1))),
  Array.from({ length: 12 }, (_, index) => coin(`coin${(index * 7) % 6}`, BigInt(index + 1))),
];
export const coins = (right: bigint): Argument => ({
  right: [coin('aoak', right)],
  wrong: [...LISTS, [coin('aoak', 10n ** 26n)]],
});

const YES = 1n;
const option = (kind: bigint, weight: string): readonly [bigint, Hex] => [kind, text(weight)];
export const options: Argument = {
  right: [option(YES, '0.6'), option(3n, '0.4')],
  wrong: [
    [],
    [option(YES, '1')],
    [option(YES, '1.0')],
    [option(YES, '1.000000000000000000')],
    [option(YES, '1.0000000000000000000')],
    [option(YES, '0.5')],
    [option(YES, '0.6'), option(3n, '0.5')],
    [option(YES, '0.5'), option(YES, '0.5')],
    [option(0n, '1')],
    [option(5n, '1')],
    [option(255n, '1')],
    [option(YES, '')],
    [option(YES, 'x')],
    [option(YES, ' 1')],
    [option(YES, '+1')],
    [option(YES, '-1')],
    [option(YES, '0')],
    [option(YES, '0'), option(2n, '1')],
    [option(YES, '1e0')],
    [option(YES, '.5'), option(2n, '.5')],
    [option(YES, '0.'), option(2n, '1')],
    [option(YES, '1.')],
    [option(YES, '2'), option(2n, '-1')],
    [option(YES, '9'.repeat(80))],
    [option(YES, `0.${'3'.repeat(18)}`), option(2n, `0.${'3'.repeat(18)}`), option(3n, `0.${'3'.repeat(17)}4`)],
    [[YES, NOT_UTF8]],
    Array.from({ length: 60 }, () => option(YES, '0.01')),
  ],
};

export const description = (right: Value): Argument => ({
  right,
  wrong: [
    texts('', '', '', '', ''),
    texts('[do-not-modify]', '[do-not-modify]', '[do-not-modify]', '[do-not-modify]', '[do-not-modify]'),
    texts('m'.repeat(71), '', '', '', ''),
    texts('m', 'i'.repeat(3001), '', '', ''),
    texts('m', '', 'w'.repeat(141), '', ''),
    texts('m', '', '', 's'.repeat(141), ''),
    texts('m', '', '', '', 'd'.repeat(281)),
    texts('m', 'i', 'w', 's', 'd'),
    [NOT_UTF8, '0x', '0x', '0x', '0x'],
    [text('m'), '0x', '0x', '0x', NOT_UTF8],
  ],
});
