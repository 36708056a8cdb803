/** ABI types that take one word. */
import { bigintOfBytes, wordOf } from '../../bytes/big-endian.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { WORD, type AbiType } from './abi-type.js';

/** Unsigned integer type of 8 to 256 bits. */
export function uint(bits: 8 | 16 | 32 | 64 | 256): AbiType<bigint> {
  return oneWord<bigint>(
    `uint${bits}`,
    (word) => {
      const value = bigintOfBytes(word);
      if (value >= 1n << BigInt(bits)) throw plainError(`abi: improperly encoded uint${bits} value`);
      return value;
    },
    wordOf,
  );
}

/** Signed integer type of 8 to 256 bits (two's complement). */
export function int(bits: 8 | 32 | 64 | 256): AbiType<bigint> {
  const half = 1n << BigInt(bits - 1);
  return oneWord<bigint>(
    `int${bits}`,
    (word) => {
      const value = BigInt.asIntN(256, bigintOfBytes(word));
      if (value < -half || value >= half) throw plainError(`abi: improperly encoded int${bits} value`);
      return value;
    },
    (value) => wordOf(BigInt.asUintN(256, value)),
  );
}

export const uint256 = uint(256);
export const int256 = int(256);

export const bool: AbiType<boolean> = oneWord(
  'bool',
  (word) => {
    const value = bigintOfBytes(word);
    if (value > 1n) throw plainError('abi: improperly encoded boolean value');
    return value === 1n;
  },
  (value) => wordOf(value ? 1n : 0n),
);

/** Address type: the last 20 bytes of a word; the bytes before them are ignored. */
export const address: AbiType<Uint8Array> = oneWord('address', (word) => word.slice(WORD - 20), padded);

/** Left-pads an address or another short value with zeros to a word. */
export function padded(value: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD);
  word.set(value, WORD - value.length);
  return word;
}

function oneWord<Value>(
  name: string,
  read: (word: Uint8Array) => Value,
  encode: (value: Value) => Uint8Array,
): AbiType<Value> {
  return { name, isDynamic: false, words: 1, decode: (input, at) => read(input.word(at)), encode };
}
