import type { DescEnum, DescMessage, MessageShape } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { utf8 } from '../bytes/bytes.js';
import { invariant } from '../errors.js';

/** A message as gogoproto's `String` shows it on one line: `block:<max_gas:-1 > version:<> `. */
export function compactText<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return textOf(reflect(schema, message));
}

function textOf(message: ReflectMessage): string {
  return message.fields
    .filter((field) => message.isSet(field))
    .map((field) => {
      if (field.fieldKind === 'message') return `${field.name}:<${textOf(message.get(field))}> `;
      invariant(field.fieldKind !== 'map', 'no message of the SDK has a map');
      if (field.fieldKind !== 'list') return `${field.name}:${scalarText(message.get(field), field.enum)} `;
      if (field.listKind === 'message')
        return Array.from(message.get(field), (item) => `${field.name}:<${nestedText(item)}> `).join('');
      return Array.from(message.get(field), (item) => `${field.name}:${scalarText(item, field.enum)} `).join('');
    })
    .join('');
}

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

/** Bytes in quotes; those that are no printable ASCII character in octal. */
function quoted(bytes: Uint8Array): string {
  const units = Array.from(
    bytes,
    (byte) =>
      ESCAPES[byte] ??
      (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`),
  );
  return `"${units.join('')}"`;
}
