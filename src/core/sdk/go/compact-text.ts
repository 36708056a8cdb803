import { type DescEnum, type DescField, type DescMessage, getOption, type MessageShape } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { utf8 } from '../../bytes/bytes.js';
import { invariant } from '../../errors.js';
import { stdtime } from '../../proto/gogoproto/gogo_pb.js';
import { numberOf } from '../codec/message-numbers.js';
import { isNullable } from '../codec/nullable.js';

/** Formats a message on one line like gogoproto's `String`: `block:<max_gas:-1 > version:<> `. */
export function compactText<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return textOf(reflect(schema, message));
}

function textOf(message: ReflectMessage): string {
  return message.fields
    .filter((field) => (message.isSet(field) && !isZeroDuration(message, field)) || isAlwaysThere(field))
    .map((field) => {
      if (field.fieldKind === 'message')
        return `${field.name}:<${isZeroTime(message, field) ? ZERO_TIME : textOf(message.get(field))}> `;
      invariant(field.fieldKind !== 'map', 'no message of the SDK has a map');
      if (field.fieldKind !== 'list') return `${field.name}:${scalarText(valueOf(message, field), field.enum)} `;
      if (field.listKind === 'message')
        return Array.from(message.get(field), (item) => `${field.name}:<${nestedText(item)}> `).join('');
      return Array.from(message.get(field), (item) => `${field.name}:${scalarText(item, field.enum)} `).join('');
    })
    .join('');
}

/** True for a zero duration that Go holds by value. */
function isZeroDuration(message: ReflectMessage, field: DescField): boolean {
  if (field.fieldKind !== 'message' || field.message.typeName !== DurationSchema.typeName) return false;
  return !isNullable(field) && textOf(message.get(field)) === '';
}

/** True for messages and numbers that Go holds by value: they are shown even when unset, except a zero duration. */
const isAlwaysThere = (field: DescField): boolean =>
  (numberOf(field) !== undefined ||
    (field.fieldKind === 'message' && field.message.typeName !== DurationSchema.typeName)) &&
  !isNullable(field);

/** Value of a field; an absent number is zero. */
const valueOf = (message: ReflectMessage, field: DescField): unknown =>
  numberOf(field) !== undefined && !message.isSet(field) ? '0' : message.get(field);

/** Go's zero time, the first moment of year 1. */
const ZERO_TIME = 'seconds:-62135596800 ';

const isZeroTime = (message: ReflectMessage, field: DescField): boolean =>
  field.message?.typeName === TimestampSchema.typeName && !message.isSet(field) && getOption(field, stdtime);

function nestedText(item: unknown): string {
  invariant(isReflected(item), 'a list of messages holds messages');
  return textOf(item);
}

const isReflected = (value: unknown): value is ReflectMessage =>
  typeof value === 'object' && value !== null && 'fields' in value && 'isSet' in value;

function scalarText(value: unknown, names: DescEnum | undefined): string {
  if (typeof value === 'string') return quoted(utf8(value));
  if (value instanceof Uint8Array) return quoted(value);
  if (names !== undefined) return names.values.find(({ number }) => number === value)?.name ?? String(value);
  return String(value);
}

const ESCAPES: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };

/** Quotes bytes; those that are not printable ASCII become octal escapes. */
function quoted(bytes: Uint8Array): string {
  const units = Array.from(
    bytes,
    (byte) =>
      ESCAPES[byte] ??
      (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`),
  );
  return `"${units.join('')}"`;
}
