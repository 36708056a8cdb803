/** Flattens a message into a list of field names and texts, in declaration order. */
import { type DescField, type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { hexData } from '../bytes/hex.js';
import { formatTime, fromTimestamp } from '../comet/time.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { AnySchema, DurationSchema, type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { typeNameOf } from '../sdk/codec/any.js';
import { customTypeOf } from '../sdk/codec/custom-type.js';
import { KNOWN_TYPES } from '../sdk/codec/known-types.js';
import { formatDec } from '../sdk/coins/dec.js';
import type { RowField } from './row-form.js';

const COIN = 'cosmos.base.v1beta1.Coin';
const DEC_COIN = 'cosmos.base.v1beta1.DecCoin';
const NOT_SET = 'unset';

/**
 * Fields of a message: `params.max_gas`, `entries[0].balance`. A coin is one text, `10achr`, as is a list of coins or
 * scalars. Absent messages have no fields. Fields beyond `describedFields` are only counted.
 */
export function messageFields(schema: DescMessage, bytes: Uint8Array): readonly RowField[] {
  const fields: RowField[] = [];
  collect(fields, '', reflect(schema, fromBinary(schema, bytes)), 0);
  const { describedFields: maximum } = FIXED_LIMITS;
  if (fields.length <= maximum) return fields;
  return [...fields.slice(0, maximum), { name: '...', value: `${fields.length - maximum} more` }];
}

function collect(to: RowField[], path: string, message: ReflectMessage, depth: number): void {
  if (depth > FIXED_LIMITS.jsonMessageDepth) {
    to.push({ name: path, value: 'nested too deeply' });
    return;
  }
  const whole = wholeText(message);
  if (whole !== undefined) {
    to.push({ name: path, value: whole });
    return;
  }
  if (message.desc.typeName === AnySchema.typeName) return collectAny(to, path, message, depth);
  for (const field of message.fields) {
    const name = path === '' ? field.name : `${path}.${field.name}`;
    switch (field.fieldKind) {
      case 'scalar':
        if (field.oneof === undefined || message.isSet(field))
          to.push({ name, value: scalarText(field, message.get(field)) });
        break;
      case 'enum':
        to.push({ name, value: enumText(field, message.get(field)) });
        break;
      case 'message':
        if (message.isSet(field)) collect(to, name, message.get(field), depth + 1);
        break;
      case 'list':
        collectList(to, name, field, [...message.get(field)], depth);
        break;
      case 'map':
        for (const [key, value] of message.get(field))
          to.push({ name: `${name}.${String(key)}`, value: String(value) });
        break;
    }
  }
}

function collectList(to: RowField[], name: string, field: DescField, items: readonly unknown[], depth: number): void {
  if (field.message === undefined) {
    const shown = items.map((item) => (field.enum === undefined ? scalarText(field, item) : enumText(field, item)));
    to.push({ name, value: shown.join(',') });
    return;
  }
  const messages = items.filter(isReflected);
  if (field.message.typeName === COIN || field.message.typeName === DEC_COIN) {
    to.push({ name, value: messages.map((one) => wholeText(one) ?? '').join(',') });
    return;
  }
  for (const [index, one] of messages.entries()) collect(to, `${name}[${index}]`, one, depth + 1);
}

function collectAny(to: RowField[], path: string, message: ReflectMessage, depth: number): void {
  const { typeUrl, value } = anyOf(message);
  const inside = path === '' ? '' : `${path}.`;
  to.push({ name: `${inside}@type`, value: typeUrl });
  const schema = KNOWN_TYPES.getMessage(typeNameOf({ typeUrl }));
  if (schema === undefined) to.push({ name: `${inside}value`, value: hexData(value) });
  else collect(to, path, reflect(schema, fromBinary(schema, value)), depth + 1);
}

/** Text of a message that readers see as one value; undefined for others. */
function wholeText({ desc, message }: ReflectMessage): string | undefined {
  switch (desc.typeName) {
    case TimestampSchema.typeName:
      return formatTime(fromTimestamp(stampOf(message)));
    case DurationSchema.typeName: {
      const { seconds, nanos } = stampOf(message);
      return `${seconds}${nanos === 0 ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`}s`;
    }
    case COIN:
      return `${textMember(message, 'amount')}${textMember(message, 'denom')}`;
    case DEC_COIN:
      return `${decText(textMember(message, 'amount'))}${textMember(message, 'denom')}`;
    default:
      return undefined;
  }
}

function scalarText(field: DescField, value: unknown): string {
  const custom = customTypeOf(field);
  if (value instanceof Uint8Array) return hexData(value);
  const text = String(value);
  return custom?.endsWith('Dec') === true ? decText(text) : text;
}

/** Formats a decimal of protobuf with its point. */
function decText(text: string): string {
  return /^-?[0-9]+$/.test(text) ? formatDec(BigInt(text)) : text;
}

function enumText(field: DescField, value: unknown): string {
  if (typeof value !== 'number') return NOT_SET;
  return field.enum?.value[value]?.name ?? value.toString();
}

function isReflected(item: unknown): item is ReflectMessage {
  return typeof item === 'object' && item !== null && 'desc' in item && 'fields' in item;
}

function textMember(message: Message, name: string): string {
  const value: unknown = Reflect.get(message, name);
  return typeof value === 'string' ? value : '';
}

function stampOf(message: Message): Pick<Timestamp, 'seconds' | 'nanos'> {
  const [seconds, nanos]: unknown[] = [Reflect.get(message, 'seconds'), Reflect.get(message, 'nanos')];
  return { seconds: typeof seconds === 'bigint' ? seconds : 0n, nanos: typeof nanos === 'number' ? nanos : 0 };
}

function anyOf({ message }: ReflectMessage): { readonly typeUrl: string; readonly value: Uint8Array } {
  const value: unknown = Reflect.get(message, 'value');
  return { typeUrl: textMember(message, 'typeUrl'), value: value instanceof Uint8Array ? value : new Uint8Array() };
}
