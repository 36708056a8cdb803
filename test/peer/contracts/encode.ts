/** Encodes calls of contracts: valid arguments, and malformed encodings. */
import {
  type AbiParameter,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import { CALLER, type Value } from './values.js';

/** Encodes arguments of `name(type,type)`. A text stands as bytes, which are encoded as it is. */
export function encodedCall(signature: string, values: readonly Value[], caller: Hex): Uint8Array {
  const types = signature.slice(signature.indexOf('(') + 1, -1).replaceAll('string', 'bytes');
  const parameters: readonly AbiParameter[] = types === '' ? [] : parseAbiParameters(types);
  const filled = (value: Value, parameter: AbiParameter): unknown => {
    if (value === CALLER) return caller;
    if (Array.isArray(value)) {
      const list: readonly Value[] = value;
      const isTuple = parameter.type === 'tuple' && 'components' in parameter;
      return list.map((one, index) =>
        filled(
          one,
          isTuple
            ? (parameter.components[index] ?? parameter)
            : { ...parameter, type: parameter.type.replace(/\[\]$/u, '') },
        ),
      );
    }
    const bits = Number(/\d+$/u.exec(parameter.type)?.[0] ?? 256);
    return typeof value === 'bigint' && bits <= 48 ? Number(value) : value;
  };
  const encoded = encodeAbiParameters(
    parameters,
    parameters.map((parameter, index) => filled(values[index] ?? 0n, parameter)) as never,
  );
  return Buffer.concat([hexToBytes(toFunctionSelector(signature)), hexToBytes(encoded)]);
}

const SELECTOR = 4;
const WORD = 32;
const word = (value: bigint): Uint8Array => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`);

/** The input truncated, extended, and with each of its first words changed, by kind of change. */
export function malformed(input: Uint8Array): readonly (readonly [name: string, input: Uint8Array])[] {
  const words = Math.floor((input.length - SELECTOR) / WORD);
  const list: (readonly [string, Uint8Array])[] = [
    ['a byte more', Buffer.concat([input, Uint8Array.of(7)])],
    ['a word more', Buffer.concat([input, word(1n << 255n)])],
    ['the selector alone', input.subarray(0, SELECTOR)],
    ['three bytes', input.subarray(0, 3)],
    ['nothing', input.subarray(0, 0)],
    ['another selector', Buffer.concat([Uint8Array.of(0xde, 0xad, 0xbe, 0xef), input.subarray(SELECTOR)])],
  ];
  if (words > 0) list.push(['a byte less', input.subarray(0, -1)], ['a byte of arguments', input.subarray(0, 5)]);
  for (let at = 0; at < Math.min(words, 24); at += 1) {
    const place = SELECTOR + at * WORD;
    list.push([`cut before word ${at}`, input.subarray(0, place)]);
    const old = input.subarray(place, place + WORD);
    const changes: readonly (readonly [string, Uint8Array])[] = [
      ['ones', word((1n << 256n) - 1n)],
      ['zero', word(0n)],
      ['a high bit', Uint8Array.from(old, (byte, index) => (index === 0 ? byte | 0x80 : byte))],
      ['a bit in the middle', Uint8Array.from(old, (byte, index) => (index === 11 ? byte | 1 : byte))],
      ['2^63', word(1n << 63n)],
      ['2^63-32', word((1n << 63n) - 32n)],
      ['the length', word(BigInt(input.length - SELECTOR))],
      ['the length less a word', word(BigInt(input.length - SELECTOR - WORD))],
      ['33', word(33n)],
    ];
    for (const [name, changed] of changes)
      list.push([
        `word ${at} is ${name}`,
        Buffer.concat([input.subarray(0, place), changed, input.subarray(place + WORD)]),
      ]);
  }
  return list;
}
