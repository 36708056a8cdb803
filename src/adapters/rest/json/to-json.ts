/**
 * Converts encoded messages to JSON text in one pass, without decoding them into objects: proto names in the order of
 * declaration, defaults written, as the SDK's gateway does (cosmos-sdk v0.53 `server/api/server.go`).
 */
import { ScalarType, type DescEnum, type DescField, type DescMessage, type Registry } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decimalOfWire } from './decimal.js';
import { goTypeOf, isEncodingJson, isWide } from './go-types.js';
import { isNullable } from '../../../core/sdk/codec/nullable.js';
import { durationText, GO_ZERO_TIME_TEXT, timestampText, type Instant } from './well-known.js';
import { hexData, upperHex } from '../../../core/bytes/hex.js';
import '../../../core/text/message-text.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import { wireTypeOf } from '../../../core/sdk/codec/wire-type.js';
import { jsonText } from '../../../core/text/json-text.js';
import { typeNameOf } from '../../../core/sdk/codec/any.js';

/** Text of a message. Throws `NestedTooDeep`, and other errors on bytes that encode no such message. */
export type ToJson = (desc: DescMessage, bytes: Uint8Array) => string;

/** A message is nested too deeply to be converted, for example signatures within signatures. */
export class NestedTooDeep extends Error {
  override readonly name = 'NestedTooDeep';

  constructor(typeName: string) {
    super(`${typeName} is nested deeper than ${FIXED_LIMITS.jsonMessageDepth} messages`);
  }
}

/** The value of a field so far: texts of elements, or the bytes of a message in as many parts as were sent. */
type Slot = string | string[] | Map<string, string> | MessageParts | undefined;

/** A message that was sent in parts. The concatenation of the parts encodes their merge. */
class MessageParts {
  readonly #parts: Uint8Array[] = [];

  add(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  merged(): Uint8Array {
    const [only = EMPTY] = this.#parts;
    return this.#parts.length <= 1 ? only : Buffer.concat(this.#parts);
  }
}

interface FieldPlan {
  /** `"name":` */
  readonly key: string;
  /** Text of a field that was not sent; undefined omits it. */
  readonly absent: (depth: number) => string | undefined;
  readonly read: (reader: BinaryReader, wire: WireType, slot: Slot, depth: number) => Slot;
  readonly show: (slot: Exclude<Slot, undefined>, depth: number) => string;
}

interface MessagePlan {
  readonly fields: readonly FieldPlan[];
  /** Position in `fields` by field number. */
  readonly places: ReadonlyMap<number, number>;
  /** Members of a oneof by position: the last one sent counts. */
  readonly rivals: ReadonlyMap<number, readonly number[]>;
}

/** Writes one value of a field. */
type ElementReader = (reader: BinaryReader, depth: number) => string;

/** The form of fields that were not sent. */
export interface AbsentFields {
  /** Text of a bytes field. */
  readonly bytes: (field: DescField) => string;
  /** True when an absent message is null also where Go has no pointer: what is printed is then read as it was. */
  readonly nullMessages: boolean;
}

/** Creates an encoder that finds the types of `Any` values in `registry`; it caches a plan for each message type. */
export function createToJson(
  registry: Registry,
  absentFields: AbsentFields = { bytes: () => 'null', nullMessages: false },
): ToJson {
  const plans = new Map<DescMessage, MessagePlan>();
  const planOf = (desc: DescMessage): MessagePlan => {
    const known = plans.get(desc);
    if (known !== undefined) return known;
    const made = makePlan(desc);
    plans.set(desc, made);
    return made;
  };

  function makePlan(desc: DescMessage): MessagePlan {
    const places = new Map(desc.fields.map((field, place) => [field.number, place]));
    const rivals = new Map<number, readonly number[]>();
    for (const { fields } of desc.oneofs) {
      for (const field of fields)
        rivals.set(
          places.get(field.number) ?? -1,
          fields.filter((other) => other !== field).map((other) => places.get(other.number) ?? -1),
        );
    }
    return { fields: desc.fields.map(fieldPlan), places, rivals };
  }

  function fieldPlan(field: DescField): FieldPlan {
    const key = `${JSON.stringify(field.name)}:`;
    const encodingJson = isEncodingJson(field.parent);
    switch (field.fieldKind) {
      case 'list':
        return {
          key,
          absent: () => (encodingJson ? 'null' : '[]'),
          read: listReader(elementOf(field), packedType(field)),
          show: showList,
        };
      case 'map':
        return { key, absent: () => '{}', read: mapReader(field, elementOf(field)), show: showMap };
      case 'message':
        return {
          key,
          absent: absentMessage(field),
          read: readBytes,
          show: (slot, depth) =>
            slot instanceof MessageParts ? messageText(field.message, slot.merged(), depth) : 'null',
        };
      case 'scalar':
      case 'enum': {
        const element = elementOf(field);
        const isLeftOut = field.oneof !== undefined || (encodingJson && goTypeOf(field) === 'plain');
        const absent = isLeftOut ? undefined : absentScalar(field, absentFields);
        return {
          key,
          absent: () => absent,
          read: (reader, _wire, _slot, depth) => element(reader, depth),
          show: showText,
        };
      }
    }
  }

  /** Reader of one value: a field, an element of a list, or a value of a map. */
  function elementOf(field: DescField): ElementReader {
    const message = field.message;
    if (message !== undefined) return (reader, depth) => messageText(message, reader.bytes(), depth);
    if (field.enum !== undefined) return enumReader(field.enum);
    const scalar = field.scalar ?? ScalarType.STRING;
    const read = scalarReader(scalar, field);
    return isEncodingJson(field.parent) && isWide(scalar) ? (reader, depth) => unquoted(read(reader, depth)) : read;
  }

  function absentMessage(field: DescField & { fieldKind: 'message' }): (depth: number) => string | undefined {
    if (field.oneof !== undefined) return () => undefined;
    if (absentFields.nullMessages || isNullable(field)) return () => 'null';
    if (field.message.typeName === 'google.protobuf.Timestamp') return () => `"${GO_ZERO_TIME_TEXT}"`;
    return (depth) => messageText(field.message, EMPTY, depth);
  }

  function messageText(desc: DescMessage, bytes: Uint8Array, depth: number): string {
    if (depth > FIXED_LIMITS.jsonMessageDepth) throw new NestedTooDeep(desc.typeName);
    switch (desc.typeName) {
      case 'google.protobuf.Any':
        return anyText(bytes, depth);
      case 'google.protobuf.Timestamp':
        return JSON.stringify(timestampText(readInstant(bytes)) ?? null);
      case 'google.protobuf.Duration':
        return JSON.stringify(durationText(readInstant(bytes)) ?? null);
      default:
        return `{${fieldsText(planOf(desc), bytes, depth)}}`;
    }
  }

  function fieldsText(plan: MessagePlan, bytes: Uint8Array, depth: number): string {
    const { fields, places, rivals } = plan;
    const slots = new Array<Slot>(fields.length);
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag();
      const place = places.get(number);
      const field = place === undefined ? undefined : fields[place];
      if (place === undefined || field === undefined) reader.skip(wire, number);
      else {
        slots[place] = field.read(reader, wire, slots[place], depth + 1);
        if (rivals.size > 0) for (const rival of rivals.get(place) ?? []) slots[rival] = undefined;
      }
    }
    let text = '';
    for (let place = 0; place < fields.length; place++) {
      const slot = slots[place];
      const field = fields[place];
      const shown = slot === undefined ? field?.absent(depth + 1) : field?.show(slot, depth + 1);
      if (field !== undefined && shown !== undefined) text += text === '' ? field.key + shown : `,${field.key}${shown}`;
    }
    return text;
  }

  /** `{"@type":"/a.B",...fields}`; a value of an unknown type stays base64 in `value`. */
  function anyText(bytes: Uint8Array, depth: number): string {
    const { typeUrl, value } = readAny(bytes);
    const type = `"@type":${jsonText(typeUrl)}`;
    const desc = registry.getMessage(typeNameOf({ typeUrl }));
    if (desc === undefined) return `{${type},"value":"${toBase64(value)}"}`;
    try {
      if (desc.typeName.startsWith('google.protobuf.'))
        return `{${type},"value":${messageText(desc, value, depth + 1)}}`;
      const fields = fieldsText(planOf(desc), value, depth + 1);
      return fields === '' ? `{${type}}` : `{${type},${fields}}`;
    } catch {
      return `{${type},"value":"${toBase64(value)}"}`;
    }
  }

  return (desc, bytes) => messageText(desc, bytes, 0);
}

const EMPTY: Uint8Array = new Uint8Array();

function unquoted(text: string): string {
  return text.slice(1, -1);
}

function showText(slot: Exclude<Slot, undefined>): string {
  return typeof slot === 'string' ? slot : 'null';
}

function showList(slot: Exclude<Slot, undefined>): string {
  return Array.isArray(slot) ? `[${slot.join(',')}]` : '[]';
}

function showMap(slot: Exclude<Slot, undefined>): string {
  return slot instanceof Map ? `{${[...slot].map(([key, value]) => `${key}:${value}`).join(',')}}` : '{}';
}

function readBytes(reader: BinaryReader, _wire: WireType, slot: Slot): MessageParts {
  return (slot instanceof MessageParts ? slot : new MessageParts()).add(reader.bytes());
}

/** Reads a list of numbers, packed in one field or in one field each. */
function listReader(element: ElementReader, packed: WireType | undefined): FieldPlan['read'] {
  return (reader, wire, slot, depth) => {
    const list = Array.isArray(slot) ? slot : [];
    if (packed === undefined || wire === packed) list.push(element(reader, depth));
    else {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) list.push(element(reader, depth));
    }
    return list;
  };
}

/** Wire type of an element that may be packed; undefined for texts, bytes and messages. */
function packedType(field: DescField): WireType | undefined {
  const wire = wireTypeOf(field);
  return wire === WireType.LengthDelimited ? undefined : wire;
}

/** Keys of maps are always texts in JSON. */
function mapReader(field: DescField & { fieldKind: 'map' }, element: ElementReader): FieldPlan['read'] {
  const keyReader = scalarReader(field.mapKey, undefined);
  const absentValue =
    field.mapKind === 'scalar' ? (ABSENT_SCALAR.get(field.scalar) ?? (isWide(field.scalar) ? '"0"' : '0')) : 'null';
  return (reader, _wire, slot, depth) => {
    const entries = slot instanceof Map ? slot : new Map<string, string>();
    let key = field.mapKey === ScalarType.STRING ? '""' : '0';
    let value = absentValue;
    readPair(
      reader.bytes(),
      (entry) => (key = keyReader(entry, depth)),
      (entry) => (value = element(entry, depth)),
    );
    return entries.set(key.startsWith('"') ? key : `"${key}"`, value);
  };
}

function enumReader({ value, values }: DescEnum): ElementReader {
  const names = new Map(values.map(({ number, name }) => [number, JSON.stringify(name)]));
  return (reader) => {
    const number = reader.int32();
    return names.get(number) ?? String(value[number]?.number ?? number);
  };
}

const ABSENT_SCALAR: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.STRING, '""'],
  [ScalarType.BYTES, 'null'],
  [ScalarType.BOOL, 'false'],
]);

function absentScalar(field: DescField & { fieldKind: 'scalar' | 'enum' }, absentFields: AbsentFields): string {
  if (field.fieldKind === 'enum')
    return JSON.stringify(field.enum.values.find(({ number }) => number === 0)?.name ?? 0);
  const goType = goTypeOf(field);
  if (goType === 'decimal' || goType === 'integer') return isNullable(field) ? 'null' : '"0"';
  if (field.scalar === ScalarType.BYTES) return absentFields.bytes(field);
  return ABSENT_SCALAR.get(field.scalar) ?? (isWide(field.scalar) ? '"0"' : '0');
}

function scalarReader(scalar: ScalarType, field: DescField | undefined): ElementReader {
  const goType = field === undefined ? 'plain' : goTypeOf(field);
  if (scalar === ScalarType.STRING)
    return goType === 'decimal'
      ? (reader) => jsonText(decimalOfWire(reader.string()))
      : (reader) => jsonText(reader.string());
  if (scalar === ScalarType.BYTES) {
    if (goType === 'ethereum-tx') return (reader) => `"${hexData(reader.bytes())}"`;
    if (goType === 'hex') return (reader) => `"${upperHex(reader.bytes())}"`;
    if (goType === 'plain') return (reader) => `"${toBase64(reader.bytes())}"`;
    return (reader) => jsonText(goType === 'decimal' ? decimalOfWire(reader.string()) : reader.string());
  }
  if (scalar === ScalarType.BOOL) return (reader) => (reader.bool() ? 'true' : 'false');
  if (scalar === ScalarType.DOUBLE) return (reader) => numberText(reader.double());
  if (scalar === ScalarType.FLOAT) return (reader) => numberText(reader.float());
  const read = INTEGER_READERS[scalar];
  return isWide(scalar) ? (reader) => `"${read(reader)}"` : (reader) => String(read(reader));
}

const INTEGER_READERS = {
  [ScalarType.INT32]: (reader) => reader.int32(),
  [ScalarType.UINT32]: (reader) => reader.uint32(),
  [ScalarType.SINT32]: (reader) => reader.sint32(),
  [ScalarType.FIXED32]: (reader) => reader.fixed32(),
  [ScalarType.SFIXED32]: (reader) => reader.sfixed32(),
  [ScalarType.INT64]: (reader) => reader.int64(),
  [ScalarType.UINT64]: (reader) => reader.uint64(),
  [ScalarType.SINT64]: (reader) => reader.sint64(),
  [ScalarType.FIXED64]: (reader) => reader.fixed64(),
  [ScalarType.SFIXED64]: (reader) => reader.sfixed64(),
} as const satisfies Readonly<Partial<Record<ScalarType, (reader: BinaryReader) => number | bigint | string>>>;

/** NaN and infinities, which JSON lacks, are written by their names, as protobuf does. */
function numberText(value: number): string {
  return Number.isFinite(value)
    ? String(value)
    : `"${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}"`;
}

/** Buffer's encoder is many times faster than one in script. */
function toBase64({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}

function readAny(bytes: Uint8Array): { readonly typeUrl: string; readonly value: Uint8Array } {
  let typeUrl = '';
  let value: Uint8Array = EMPTY;
  readPair(
    bytes,
    (reader) => (typeUrl = reader.string()),
    (reader) => (value = reader.bytes()),
  );
  return { typeUrl, value };
}

function readInstant(bytes: Uint8Array): Instant {
  let seconds = 0n;
  let nanos = 0;
  readPair(
    bytes,
    (reader) => (seconds = BigInt(reader.int64())),
    (reader) => (nanos = reader.int32()),
  );
  return { seconds, nanos };
}

/** Reads a message with the fields 1 and 2: an `Any`, a time or an entry of a map. */
function readPair(
  bytes: Uint8Array,
  first: (reader: BinaryReader) => void,
  second: (reader: BinaryReader) => void,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1) first(reader);
    else if (number === 2) second(reader);
    else reader.skip(wire, number);
  }
}
