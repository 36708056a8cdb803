/** ABI-encodes typed-in values (docs.soliditylang.org, "Contract ABI Specification"). */
import { utf8 } from '../../../../core/bytes/bytes.js';
import { type AbiParameter, type AbiType, headBytes, isDynamic, typeText } from '../../../../core/abi/type.js';
import { bytesOf, hexData } from './crypto.js';

const WORD = 32;
/** Bytes of a function value: an address and a selector. */
const FUNCTION_BYTES = 24;

/**
 * Encodes a call: the selector and its arguments. Each text is parsed by its type: digits (decimal or 0x), `true`, an
 * address, `0x` bytes, plain text for a string, JSON for lists and structs. Throws an error that names the parameter
 * and the expected form.
 */
export function encodeCall(selector: string, inputs: readonly AbiParameter[], texts: readonly string[]): string {
  const values = inputs.map(({ name, type }, index) => {
    try {
      return valueOfText(type, texts[index] ?? '');
    } catch (error) {
      throw new Error(`${name === '' ? `argument ${index}` : name}: ${error instanceof Error ? error.message : ''}`);
    }
  });
  return selector + hexData(encodeMembers(inputs, values)).slice(2);
}

/**
 * Encodes a typed-in mapping key for the slot computation: 32 bytes for a value type, the bytes themselves for string
 * and bytes. Throws with the expected form.
 */
export function encodeKey(type: AbiType, text: string): Uint8Array {
  const value = valueOfText(type, text);
  return value instanceof Uint8Array && isDynamic(type) ? value : encodeValue(type, value);
}

/** A value before it is encoded. */
type Value = bigint | boolean | Uint8Array | readonly Value[];

function valueOfText(type: AbiType, text: string): Value {
  switch (type.kind) {
    case 'string':
      return utf8(text);
    case 'array':
    case 'tuple': {
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        throw new Error(`${typeText(type)} is written as JSON, for example [1, 2]`);
      }
      return valueOfJson(type, json);
    }
    case 'uint':
    case 'int':
    case 'bool':
    case 'address':
    case 'bytes':
    case 'function':
      return scalarOf(type, text.trim());
  }
}

function valueOfJson(type: AbiType, json: unknown): Value {
  if (type.kind === 'array') {
    if (!Array.isArray(json)) throw new Error(`${typeText(type)} is a list`);
    if (type.length !== undefined && json.length !== type.length)
      throw new Error(`${typeText(type)} has ${type.length} items, not ${json.length}`);
    return json.map((item: unknown) => valueOfJson(type.of, item));
  }
  if (type.kind === 'tuple') {
    if (typeof json !== 'object' || json === null) throw new Error(`${typeText(type)} is a list or an object`);
    return type.members.map((member, index) => {
      const item: unknown = Array.isArray(json) ? json[index] : (json as Record<string, unknown>)[member.name];
      if (item === undefined) throw new Error(`${member.name === '' ? `member ${index}` : member.name} is missing`);
      return valueOfJson(member.type, item);
    });
  }
  if (typeof json !== 'string' && typeof json !== 'number' && typeof json !== 'boolean')
    throw new Error(`${typeText(type)} is no ${Array.isArray(json) ? 'list' : typeof json}`);
  if (typeof json === 'number' && !Number.isSafeInteger(json))
    throw new Error(`${json} is not exact: write it as a text`);
  return type.kind === 'string' ? utf8(String(json)) : scalarOf(type, String(json));
}

function scalarOf(type: AbiType, text: string): Value {
  switch (type.kind) {
    case 'uint':
    case 'int': {
      if (!/^-?(?:[0-9]{1,80}|0x[0-9a-f]{1,64})$/i.test(text)) throw new Error(`${typeText(type)} is a whole number`);
      const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
      const isIn =
        type.kind === 'uint'
          ? value >= 0n && BigInt.asUintN(type.bits, value) === value
          : BigInt.asIntN(type.bits, value) === value;
      if (!isIn) throw new Error(`${text} is no ${typeText(type)}`);
      return value;
    }
    case 'bool':
      if (text !== 'true' && text !== 'false') throw new Error('bool is true or false');
      return text === 'true';
    case 'address': {
      const bytes = bytesOf(text);
      if (bytes?.length !== 20) throw new Error('an address has 0x and 40 hexadecimal digits');
      return bytes;
    }
    case 'bytes':
    case 'function': {
      const bytes = bytesOf(text);
      const size = type.kind === 'bytes' ? type.size : FUNCTION_BYTES;
      if (bytes === undefined || (size !== undefined && bytes.length !== size))
        throw new Error(`${typeText(type)} is 0x and ${size === undefined ? 'an even number of' : size * 2} digits`);
      return bytes;
    }
    case 'string':
      return utf8(text);
    case 'array':
    case 'tuple':
      throw new Error(`${typeText(type)} is written as JSON`);
  }
}

function encodeMembers(members: readonly { readonly type: AbiType }[], values: readonly Value[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = members.reduce((sum, { type }) => sum + headBytes(type), 0);
  for (const [index, { type }] of members.entries()) {
    const bytes = encodeValue(type, values[index] ?? 0n);
    if (isDynamic(type)) {
      heads.push(word(BigInt(offset)));
      tails.push(bytes);
      offset += bytes.length;
    } else heads.push(bytes);
  }
  return joined([...heads, ...tails]);
}

function encodeValue(type: AbiType, value: Value): Uint8Array {
  if (typeof value === 'bigint') return word(value);
  if (typeof value === 'boolean') return word(value ? 1n : 0n);
  if (value instanceof Uint8Array) {
    if (type.kind === 'address') return joined([new Uint8Array(WORD - value.length), value]);
    if (type.kind === 'function' || (type.kind === 'bytes' && type.size !== undefined)) return padded(value);
    return joined([word(BigInt(value.length)), padded(value)]);
  }
  if (type.kind === 'array') {
    const items = encodeMembers(
      value.map(() => ({ type: type.of })),
      value,
    );
    return type.length === undefined ? joined([word(BigInt(value.length)), items]) : items;
  }
  return encodeMembers(type.kind === 'tuple' ? type.members : [], value);
}

function word(value: bigint): Uint8Array {
  return bytesOf(`0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`) ?? new Uint8Array(WORD);
}

function padded(bytes: Uint8Array): Uint8Array {
  return joined([bytes, new Uint8Array((WORD - (bytes.length % WORD)) % WORD)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
