/**
 * Converts JSON bodies to encoded messages: accepts snake and camel case, ignores unknown names, and has the error
 * texts of Go's jsonpb.
 */
import { bytesOfDigits } from '../../../core/bytes/hex.js';
import { ScalarType, type DescField, type DescMessage, type Registry } from '@bufbuild/protobuf';
import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { goTypeOf } from '../json/go-types.js';
import { bytesOfJson } from './base64.js';
import { fieldNamed, INSTANTS, writeInstant } from './fields.js';
import { integerType, parseDecimalInteger } from './integer.js';
import { integerOf, parsePlain, parseText, writeValue, type Parsed } from './scalar.js';
import { isObject } from '../../../core/text/json-object.js';
import { typeNameOf } from '../../../core/sdk/codec/any.js';

/** Appends the message in `json` to `writer`; returns an error text, or undefined on success. */
export type AppendJson = (writer: BinaryWriter, desc: DescMessage, json: unknown) => string | undefined;

/** Creates an encoder that resolves `Any` types in `registry` and rejects JSON nested deeper than `depth`. */
export function createAppendJson(registry: Registry, depth: number): AppendJson {
  function appendMessage(writer: BinaryWriter, desc: DescMessage, json: unknown, level: number): string | undefined {
    if (level > depth) return `nested deeper than ${depth} (limit jsonDepth)`;
    if (desc.typeName === 'google.protobuf.Any') return appendAny(writer, json, level);
    if (!isObject(json)) return mismatch(json, 'map[string]json.RawMessage');
    for (const [name, value] of Object.entries(json)) {
      const field = fieldNamed(desc, name);
      if (field === undefined || value === null) continue;
      const problem = appendField(writer, field, value, level);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  function appendField(writer: BinaryWriter, field: DescField, value: unknown, level: number): string | undefined {
    if (field.fieldKind === 'list') {
      if (!Array.isArray(value)) return mismatch(value, '[]json.RawMessage');
      return firstProblem(value, (element) => appendOne(writer, field, element, level));
    }
    if (field.fieldKind === 'map')
      return isObject(value)
        ? firstProblem(Object.entries(value), ([key, inner]) => appendEntry(writer, field, key, inner, level))
        : mismatch(value, 'map[string]json.RawMessage');
    return appendOne(writer, field, value, level);
  }

  /** Appends a singular field, or one list element. */
  function appendOne(writer: BinaryWriter, field: DescField, value: unknown, level: number): string | undefined {
    if (field.message === undefined) {
      const parsed = parseJson(field, value);
      if (!parsed.ok) return parsed.message;
      writeValue(writer, field.number, field.scalar ?? ScalarType.INT32, parsed.value);
      return undefined;
    }
    return appendMessageField(writer, field.number, field.message, value, level);
  }

  function appendMessageField(
    writer: BinaryWriter,
    number: number,
    desc: DescMessage,
    value: unknown,
    level: number,
  ): string | undefined {
    const readInstant = INSTANTS.get(desc.typeName);
    if (readInstant !== undefined) {
      const instant = typeof value === 'string' ? readInstant(value) : undefined;
      if (instant === undefined) return `bad ${desc.typeName}: ${shown(value)}`;
      writeInstant(writer, number, instant);
      return undefined;
    }
    writer.tag(number, WireType.LengthDelimited).fork();
    const problem = appendMessage(writer, desc, value, level + 1);
    writer.join();
    return problem;
  }

  function appendEntry(
    writer: BinaryWriter,
    field: DescField & { fieldKind: 'map' },
    key: string,
    value: unknown,
    level: number,
  ): string | undefined {
    const range = integerType(field.mapKey);
    if (range !== undefined && !/^-?[0-9]{1,20}$/.test(key))
      return `strconv.${range.name}: parsing ${shown(key)}: invalid syntax`;
    writer.tag(field.number, WireType.LengthDelimited).fork();
    writeValue(
      writer,
      1,
      field.mapKey,
      range !== undefined ? BigInt.asIntN(64, BigInt(key)) : field.mapKey === ScalarType.BOOL ? key === 'true' : key,
    );
    let problem: string | undefined;
    if (field.message !== undefined) problem = appendMessageField(writer, 2, field.message, value, level);
    else {
      const parsed = parseJson(field, value);
      if (parsed.ok) writeValue(writer, 2, field.scalar ?? ScalarType.INT32, parsed.value);
      else problem = parsed.message;
    }
    writer.join();
    return problem;
  }

  function appendAny(writer: BinaryWriter, json: unknown, level: number): string | undefined {
    if (!isObject(json)) return mismatch(json, 'map[string]json.RawMessage');
    const typeUrl = json['@type'];
    if (typeof typeUrl !== 'string') return "Any JSON doesn't have '@type'";
    const desc = registry.getMessage(typeNameOf({ typeUrl }));
    if (desc === undefined) return `unable to resolve type URL ${shown(typeUrl)}`;
    writer.tag(1, WireType.LengthDelimited).string(typeUrl);
    writer.tag(2, WireType.LengthDelimited).fork();
    const problem = appendMessage(writer, desc, json, level + 1);
    writer.join();
    return problem;
  }

  return (writer, desc, json) => appendMessage(writer, desc, json, 1);
}

/** Parses a scalar or enum value. */
function parseJson(field: DescField, json: unknown): Parsed {
  if (field.enum !== undefined) {
    if (typeof json !== 'number' && typeof json !== 'string') return bad(json, 'int32');
    if (typeof json === 'number' && Number.isInteger(json) && Math.abs(json) < 2 ** 31)
      return { ok: true, value: json };
    const parsed = parseText(field, String(json));
    return parsed.ok ? parsed : { ok: false, message: `unknown value ${shown(json)} for enum ${field.enum.typeName}` };
  }
  const scalar = field.scalar ?? ScalarType.STRING;
  if (scalar === ScalarType.STRING) return typeof json === 'string' ? parsePlain(field, json) : bad(json, 'string');
  if (scalar === ScalarType.BYTES) return typeof json === 'string' ? parseBytes(field, json) : bytesOfArray(json);
  if (scalar === ScalarType.BOOL) return typeof json === 'boolean' ? { ok: true, value: json } : bad(json, 'bool');
  if (scalar === ScalarType.FLOAT || scalar === ScalarType.DOUBLE) {
    return typeof json === 'number'
      ? { ok: true, value: json }
      : typeof json === 'string'
        ? parseText(field, json)
        : bad(json, 'float64');
  }
  const type = integerType(scalar);
  if (type === undefined || !(typeof json === 'string' || Number.isSafeInteger(json)))
    return bad(json, goInteger(scalar));
  return integerOf(String(json), type, parseDecimalInteger(String(json), type));
}

/** Parses base64, or the text form of the field's Go type. */
function parseBytes(field: DescField, text: string): Parsed {
  const goType = goTypeOf(field);
  if (goType === 'plain') return bytesOfJson(text);
  if (goType === 'ethereum-tx') {
    const value = text.startsWith('0x') ? bytesOfDigits(text.slice(2)) : undefined;
    return value !== undefined ? { ok: true, value } : { ok: false, message: `invalid hex string: ${shown(text)}` };
  }
  const parsed = parsePlain(field, text);
  return parsed.ok ? { ok: true, value: new TextEncoder().encode(String(parsed.value)) } : parsed;
}

/** Parses bytes given as an array of numbers, as evmosjs sends them. */
function bytesOfArray(json: unknown): Parsed {
  const isBytes = Array.isArray(json) && json.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes ? { ok: true, value: Uint8Array.from(json) } : bad(json, '[]uint8');
}

function goInteger(scalar: ScalarType): string {
  const range = integerType(scalar);
  return `${range?.name === 'ParseUint' ? 'u' : ''}int${(range?.maximum ?? 0n) > 2n ** 32n ? 64 : 32}`;
}

function firstProblem<Element>(
  elements: readonly Element[],
  append: (element: Element) => string | undefined,
): string | undefined {
  for (const element of elements) {
    const problem = append(element);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function bad(json: unknown, goType: string): Parsed {
  return { ok: false, message: mismatch(json, goType) };
}

function mismatch(json: unknown, goType: string): string {
  return `json: cannot unmarshal ${kindOf(json)} into Go value of type ${goType}`;
}

function kindOf(json: unknown): string {
  if (json === null) return 'null';
  return Array.isArray(json) ? 'array' : typeof json === 'boolean' ? 'bool' : typeof json;
}

/**
 * A value for an error text: the beginning of a string or number, else only its kind, because nesting is unbounded.
 */
function shown(json: unknown): string {
  return typeof json === 'string'
    ? JSON.stringify(json.slice(0, 128))
    : typeof json === 'number'
      ? String(json)
      : kindOf(json);
}
