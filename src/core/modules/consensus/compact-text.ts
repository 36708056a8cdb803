import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { invariant } from '../../errors.js';

/**
 * A message of integers, texts and such messages as gogoproto's `String` shows it on one line: `block:<max_gas:-1 >
 * version:<> `.
 */
export function compactText<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return textOf(reflect(schema, message));
}

function textOf(message: ReflectMessage): string {
  return message.fields
    .filter((field) => message.isSet(field))
    .map((field) => {
      if (field.fieldKind === 'message') return `${field.name}:<${textOf(message.get(field))}> `;
      const values: Iterable<unknown> = field.fieldKind === 'list' ? message.get(field) : [message.get(field)];
      return Array.from(values, (value) => `${field.name}:${scalarText(value)} `).join('');
    })
    .join('');
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  invariant(typeof value === 'bigint' || typeof value === 'number', 'only integers and texts have a compact text');
  return value.toString();
}
