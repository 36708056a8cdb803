/**
 * Converts encoded messages to JSON text in one pass, without decoding them into objects: proto names in the order of
 * declaration, defaults written, as the SDK's gateway does (cosmos-sdk v0.53 `server/api/server.go`).
 */
import { ScalarType, type DescField, type DescMessage, type Registry } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import '../../../core/text/message-text.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import { typeNameOf } from '../../../core/sdk/codec/any.js';
import { isNullable } from '../../../core/sdk/codec/nullable.js';
import { jsonText } from '../../../core/text/json-text.js';
import { goTypeOf, isEncodingJson, isWide } from './go-types.js';
import { readAny, readInstant } from './pairs.js';
import {
  type AbsentFields,
  absentScalar,
  type ElementReader,
  enumReader,
  scalarReader,
  toBase64,
} from './scalar-text.js';
import {
  EMPTY,
  type FieldReader,
  listReader,
  mapReader,
  MessageList,
  MessageParts,
  packedType,
  readBytes,
  readElement,
  showList,
  showMap,
  showText,
  type Slot,
} from './slots.js';
import { durationText, GO_ZERO_TIME_TEXT, timestampText } from './well-known.js';

/** Converts an encoded message to JSON text. Throws `NestedTooDeep`, and other errors for invalid bytes. */
export interface ToJson {
  (desc: DescMessage, bytes: Uint8Array): string;
  /** JSON text in pieces: one for each field, and for each element of a list of messages. */
  pieces(desc: DescMessage, bytes: Uint8Array): Generator<string, void>;
}

/** A message is nested too deeply, for example multisignatures in multisignatures. */
export class NestedTooDeep extends Error {
  override readonly name = 'NestedTooDeep';

  constructor(typeName: string) {
    super(`${typeName} is nested deeper than ${FIXED_LIMITS.jsonMessageDepth} messages`);
  }
}

interface FieldPlan {
  /** `"name":` */
  readonly key: string;
  /** JSON text of the absent field; undefined omits it. */
  readonly absent: (depth: number) => string | undefined;
  readonly read: FieldReader;
  readonly show: (slot: Exclude<Slot, undefined>, depth: number) => string;
  /** Text of an element of a list of messages. */
  readonly showElement?: (bytes: Uint8Array, depth: number) => string;
}

interface MessagePlan {
  readonly fields: readonly FieldPlan[];
  /** Index in `fields` by field number. */
  readonly places: ReadonlyMap<number, number>;
  /** Other members of the same oneof, by index: the last one on the wire counts. */
  readonly rivals: ReadonlyMap<number, readonly number[]>;
}

/** Creates a converter that resolves `Any` types in `registry`; it caches a plan per message type. */
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
      case 'list': {
        const { message } = field;
        const absent = (): string => (encodingJson ? 'null' : '[]');
        if (message === undefined)
          return { key, absent, read: listReader(elementOf(field), packedType(field)), show: showList };
        const showElement = (bytes: Uint8Array, depth: number): string => messageText(message, bytes, depth);
        return {
          key,
          absent,
          read: readElement,
          show: (slot, depth) =>
            slot instanceof MessageList ? `[${slot.messages.map((each) => showElement(each, depth)).join(',')}]` : '[]',
          showElement,
        };
      }
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

  /** Reader of a single value: a field, a list element, or a map value. */
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

  function slotsOf({ fields, places, rivals }: MessagePlan, bytes: Uint8Array, depth: number): readonly Slot[] {
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
    return slots;
  }

  function fieldsText(plan: MessagePlan, bytes: Uint8Array, depth: number): string {
    const { fields } = plan;
    const slots = slotsOf(plan, bytes, depth);
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

  function* pieces(desc: DescMessage, bytes: Uint8Array): Generator<string, void> {
    const plan = planOf(desc);
    const slots = slotsOf(plan, bytes, 0);
    let before = '{';
    for (const [place, field] of plan.fields.entries()) {
      const slot = slots[place];
      if (field.showElement !== undefined && slot instanceof MessageList) {
        for (const [index, element] of slot.messages.entries())
          yield `${index === 0 ? `${before}${field.key}[` : ','}${field.showElement(element, 1)}`;
        before = '],';
        continue;
      }
      const shown = slot === undefined ? field.absent(1) : field.show(slot, 1);
      if (shown === undefined) continue;
      yield `${before}${field.key}${shown}`;
      before = ',';
    }
    yield before === ',' ? '}' : before === '{' ? '{}' : ']}';
  }

  return Object.assign((desc: DescMessage, bytes: Uint8Array) => messageText(desc, bytes, 0), { pieces });
}

function unquoted(text: string): string {
  return text.slice(1, -1);
}
