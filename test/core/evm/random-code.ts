/**
 * Random programs of mostly valid statements that leave the stack unchanged. They use a few slots, a few
 * bytes of memory and a graph of contracts that call, create and destroy each other. Some programs end in random
 * bytes.
 */
import fc from 'fast-check';

/** Addresses of the graph; the last two have no code. */
export const GRAPH = [0xa001, 0xa002, 0xa003, 0xe0a0, 0xe0a1];
const ENVIRONMENT = [
  '30',
  '32',
  '33',
  '34',
  '36',
  '38',
  '3a',
  '3d',
  '41',
  '42',
  '43',
  '44',
  '45',
  '46',
  '47',
  '48',
  '58',
  '59',
  '5a',
];
const BINARY = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '0a',
  '0b',
  '10',
  '11',
  '12',
  '13',
  '14',
  '16',
  '17',
  '18',
  '1a',
  '1b',
  '1c',
  '1d',
];
const UNARY = ['15', '19', '31', '35', '3b', '3f', '40'];

const push = (value: bigint): string => {
  const digits = value.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  return value === 0n ? '5f' : `${(0x5f + bytes.length / 2).toString(16)}${bytes}`;
};
const small = (maximum: number) => fc.nat(maximum).map((value) => push(BigInt(value)));
const literal = fc.oneof(
  small(300),
  fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(push),
  fc.constantFrom(push((1n << 256n) - 1n), push(1n << 255n)),
);
/** Pushes an address of the graph or of a precompile except 0x0a, because the oracle has no KZG. */
const someone = fc.oneof(
  fc.constantFrom(...GRAPH).map((value) => push(BigInt(value))),
  small(9),
);

/** Code that pushes one word. */
const expression: fc.Arbitrary<string> = fc.letrec<{ readonly word: string }>((tie) => ({
  word: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    fc.constantFrom(...ENVIRONMENT),
    someone,
    fc.tuple(tie('word'), fc.constantFrom(...UNARY)).map((parts) => parts.join('')),
    fc.tuple(tie('word'), tie('word'), fc.constantFrom(...BINARY)).map((parts) => parts.join('')),
    fc.tuple(tie('word'), tie('word'), tie('word'), fc.constantFrom('08', '09')).map((parts) => parts.join('')),
    small(3).map((slot) => `${slot}54`),
    small(3).map((slot) => `${slot}5c`),
    small(100).map((at) => `${at}51`),
    fc.tuple(small(64), small(64)).map(([length, at]) => `${length}${at}20`),
  ),
})).word;

const range = fc.tuple(small(96), small(96)).map((pair) => pair.join(''));
const calls = fc.oneof(
  fc
    .tuple(range, range, fc.oneof(small(5), expression), someone, expression)
    .map(([out, input, value, to, gas]) => `${out}${input}${value}${to}${gas}f150`),
  fc
    .tuple(range, range, fc.oneof(small(5), expression), someone, expression)
    .map(([out, input, value, to, gas]) => `${out}${input}${value}${to}${gas}f250`),
  fc
    .tuple(range, range, someone, expression, fc.constantFrom('f4', 'fa'))
    .map(([out, input, to, gas, code]) => `${out}${input}${to}${gas}${code}50`),
);
/** Init codes of up to 32 bytes: they deploy, revert, halt, self-destruct or call back. */
const INIT = ['600a5f5360015ff3', '5f5ffd', 'fe', '33ff', '60015f5500', '5f5f5f5f5f335af1505f5ff3', '60ef5f5360015ff3'];
const creations = fc
  .tuple(fc.constantFrom(...INIT), small(5), fc.option(small(2), { nil: undefined }), fc.boolean())
  .map(([init, value, salt, keep]) => {
    const length = push(BigInt(init.length / 2));
    const made = salt === undefined ? `${length}5f${value}f0` : `${salt}${length}5f${value}f5`;
    return `7f${init.padEnd(64, '0')}5f52${made}${keep ? '600355' : '50'}`;
  });
const statement = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(expression, small(3)).map(([value, slot]) => `${value}${slot}55`) },
  { weight: 2, arbitrary: fc.tuple(expression, small(3)).map(([value, slot]) => `${value}${slot}5d`) },
  { weight: 3, arbitrary: fc.tuple(expression, small(100)).map(([value, at]) => `${value}${at}52`) },
  { weight: 1, arbitrary: fc.tuple(expression, small(100)).map(([value, at]) => `${value}${at}53`) },
  { weight: 5, arbitrary: calls },
  { weight: 2, arbitrary: creations },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(expression, { maxLength: 4 }), range)
      .map(([topics, data]) => `${topics.join('')}${data}a${topics.length}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(small(40), small(40), small(40), fc.constantFrom('37', '39', '3e', '5e'))
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.tuple(small(40), small(40), small(40), someone).map((parts) => `${parts.join('')}3c`) },
);
const ending = fc.oneof(
  { weight: 4, arbitrary: fc.constant('00') },
  { weight: 4, arbitrary: range.map((at) => `${at}f3`) },
  { weight: 2, arbitrary: range.map((at) => `${at}fd`) },
  { weight: 2, arbitrary: someone.map((to) => `${to}ff`) },
  { weight: 1, arbitrary: fc.constant('fe') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('hex')) },
);

/** A program as hex digits. */
export const program: fc.Arbitrary<string> = fc
  .tuple(fc.array(statement, { maxLength: 8 }), ending)
  .map(([body, end]) => body.join('') + end);
