/** Converts Amino JSON to messages, for types whose Amino binary equals protobuf. */
import {
  create,
  fromJson,
  getOption,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { field_name as fieldName } from '../../../../core/proto/amino/amino_pb.js';

/** The input is not valid Amino for its type. */
export class BadAmino extends Error {}

/**
 * Converts the `value` of an Amino JSON object to a message. Throws BadAmino. The recursion depth is that of the
 * schema.
 */
export function fromAminoJson(schema: DescMessage, json: JsonValue): Message {
  if (!isObject(json)) throw new BadAmino(`${schema.typeName} is not an object`);
  const message = reflect(schema, create(schema));
  for (const field of schema.fields) {
    const value = json[getOption(field, fieldName) || field.name];
    if (value === undefined || value === null) continue;
    setField(message, field, value);
  }
  return message.message;
}

/** Types whose Amino binary differs from protobuf. */
const UNLIKE_PROTOBUF: ReadonlySet<string> = new Set([
  'google.protobuf.Any',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** Throws BadAmino for a message that contains a type whose Amino binary differs from protobuf. */
export function requireProtobufForm(schema: DescMessage, seen = new Set<string>()): void {
  if (UNLIKE_PROTOBUF.has(schema.typeName)) throw new BadAmino(`${schema.typeName} is not supported in amino`);
  if (seen.has(schema.typeName)) return;
  seen.add(schema.typeName);
  for (const field of schema.fields) if (field.message !== undefined) requireProtobufForm(field.message, seen);
}

function setField(message: ReflectMessage, field: DescField, value: JsonValue): void {
  switch (field.fieldKind) {
    case 'message': {
      const inner = fromAminoJson(field.message, value);
      // Amino omits an empty structure.
      if (Object.keys(isObject(value) ? value : {}).length > 0) message.set(field, reflect(field.message, inner));
      return;
    }
    case 'list': {
      if (!Array.isArray(value)) throw new BadAmino(`${field.name} is not a list`);
      if (field.listKind === 'message')
        for (const item of value) message.get(field).add(reflect(field.message, fromAminoJson(field.message, item)));
      else copyScalars(message, field, value);
      return;
    }
    case 'scalar':
    case 'enum':
      copyScalars(message, field, value);
      return;
    case 'map':
      throw new BadAmino(`${field.name}: maps are not supported in amino`);
  }
}

/** Copies scalars, which have the same form as in proto JSON. */
function copyScalars(message: ReflectMessage, field: DescField, value: JsonValue): void {
  let read: ReflectMessage;
  try {
    read = reflect(message.desc, fromJson(message.desc, { [field.jsonName]: value }));
  } catch {
    throw new BadAmino(`${field.name}: bad value`);
  }
  message.set(field, read.get(field));
}

/** True for a JSON object. */
export function isObject(value: unknown): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
