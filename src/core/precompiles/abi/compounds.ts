/** ABI types made of bytes or of other types. */
import { bigintOfBytes, wordOf } from '../../bytes/big-endian.js';
import { concat, concatAll, text as anyText, utf8 } from '../../bytes/bytes.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { WORD, type AbiInput, type AbiType, type AbiValue, type AbiValues } from './abi-type.js';

export const bytes: AbiType<Uint8Array> = {
  name: 'bytes',
  isDynamic: true,
  words: 1,
  decode: (input, at) => {
    const { begin, length } = input.counted(at);
    input.spend(length);
    return input.bytes.slice(begin, begin + length);
  },
  encode: (value) => concat(wordOf(BigInt(value.length)), value, new Uint8Array(-value.length & (WORD - 1))),
};

/** String as bytes, which need not be valid UTF-8. */
export const rawText: AbiType<Uint8Array> = { ...bytes, name: 'string' };

/** String; like Go, does not require valid UTF-8. */
export const text: AbiType<string> = {
  ...bytes,
  name: 'string',
  decode: (input, at) => anyText(bytes.decode(input, at)),
  encode: (value) => bytes.encode(utf8(value)),
};

/** Dynamic array type. */
export function listOf<Value>(element: AbiType<Value>): AbiType<readonly Value[]> {
  const step = element.words * WORD;
  return {
    name: `${element.name}[]`,
    isDynamic: true,
    words: 1,
    decode: (input, at) => {
      const { begin, length } = input.counted(at);
      const elements = input.from(begin);
      const size = elements.bytes.length;
      if (length * WORD > size)
        throw plainError(
          `abi: cannot marshal into go array: offset ${size} would go over slice boundary (len=${length * WORD})`,
        );
      return Array.from({ length }, (_, index) => element.decode(elements, index * step));
    },
    encode: (values) =>
      concat(
        wordOf(BigInt(values.length)),
        encodeAll(
          values.map(() => element),
          values,
        ),
      ),
  };
}

/** Struct type; fields by name, in declaration order. */
export function tuple<Fields extends Readonly<Record<string, AbiType<unknown>>>>(
  fields: Fields,
): AbiType<{ readonly [Name in keyof Fields]: AbiValue<Fields[Name]> }> {
  type Value = { readonly [Name in keyof Fields]: AbiValue<Fields[Name]> };
  const names: readonly (keyof Fields & string)[] = Object.keys(fields);
  const types = names.map((name) => fields[name] as AbiType<unknown>);
  const isDynamic = types.some((type) => type.isDynamic);
  return {
    name: `(${types.map(({ name }) => name).join(',')})`,
    isDynamic,
    words: isDynamic ? 1 : wordsOf(types),
    decode: (input, at) => {
      const part = input.from(isDynamic ? offsetAt(input, at) : at);
      const values = decodeAll(types, part);
      return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Value;
    },
    encode: (value) =>
      encodeAll(
        types,
        names.map((name) => value[name]),
      ),
  };
}

function offsetAt(input: AbiInput, at: number): number {
  const offset = bigintOfBytes(input.word(at));
  const size = BigInt(input.bytes.length);
  if (offset > size)
    throw plainError(`abi: cannot marshal in to go slice: offset ${offset} would go over slice boundary (len=${size})`);
  return Number(offset);
}

/** Decodes arguments, or the fields of a struct. */
export function decodeAll<const Types extends readonly AbiType<unknown>[]>(
  types: Types,
  input: AbiInput,
): AbiValues<Types> {
  let at = 0;
  return types.map((type) => {
    const value = type.decode(input, at);
    at += type.words * WORD;
    return value;
  }) as AbiValues<Types>;
}

/** Encodes the heads followed by the tails; the head of a dynamic value is the offset of its tail. */
export function encodeAll(types: readonly AbiType<unknown>[], values: readonly unknown[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tailOffset = wordsOf(types) * WORD;
  types.forEach((type, index) => {
    const encoded = type.encode(values[index]);
    if (!type.isDynamic) {
      heads.push(encoded);
      return;
    }
    heads.push(wordOf(BigInt(tailOffset)));
    tails.push(encoded);
    tailOffset += encoded.length;
  });
  return concatAll([...heads, ...tails]);
}

function wordsOf(types: readonly { readonly words: number }[]): number {
  return types.reduce((sum, { words }) => sum + words, 0);
}
