import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { concat, EMPTY } from '../bytes/bytes.js';
import { MessageFields } from '../bytes/message-fields.js';

/**
 * The message without what Go's decoder drops: of several messages for one `oneof` gogoproto v1.7 takes the last alone
 * (its generated `Unmarshal` makes a new one each time), where protobuf.dev merges them. Most types have no such
 * choice, and are not looked at.
 */
export function lastChoices(schema: DescMessage, bytes: Uint8Array): Uint8Array {
  return hasChoice(schema) && hasReplaced(schema, new MessageFields(bytes), bytes)
    ? withoutReplaced(schema, bytes)
    : bytes;
}

/** True where the message, or one in it, has two messages for one choice or for one field that holds choices. */
function hasReplaced({ fields: known }: DescMessage, fields: MessageFields, bytes: Uint8Array): boolean {
  const seen = new Set<DescField | DescOneof>();
  while (fields.next()) {
    const field = known.find(({ number }) => number === fields.field);
    if (field?.message === undefined || (field.oneof === undefined && !hasChoice(field.message))) continue;
    const place = field.oneof ?? field;
    if (seen.has(place)) return true;
    if (field.fieldKind !== 'list') seen.add(place);
    if (hasReplaced(field.message, new MessageFields(bytes, fields.start, fields.end), bytes)) return true;
  }
  return false;
}

const choices = new WeakMap<DescMessage, boolean>();

/** True for a type that has a message in a `oneof`, or holds one that has. */
function hasChoice(schema: DescMessage): boolean {
  const before = choices.get(schema);
  if (before !== undefined) return before;
  // a type that holds itself is decided by its other fields
  choices.set(schema, false);
  const found = schema.fields.some(
    (field) => field.message !== undefined && (field.oneof !== undefined || hasChoice(field.message)),
  );
  choices.set(schema, found);
  return found;
}

interface Part {
  readonly field: DescField | undefined;
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

function withoutReplaced(schema: DescMessage, bytes: Uint8Array): Uint8Array {
  const parts: Part[] = [];
  for (const fields = new MessageFields(bytes); fields.next();) {
    const field = schema.fields.find(({ number }) => number === fields.field);
    const whole = bytes.subarray(fields.begin, fields.end);
    parts.push({ field, whole, content: bytes.subarray(fields.start, fields.end) });
  }
  return concat(...parts.map((part, index) => shown(part, parts, index)));
}

/** The part as it counts: nothing for one that a later part replaces, or that is read together with an earlier one. */
function shown({ field, whole, content }: Part, parts: readonly Part[], index: number): Uint8Array {
  if (field?.message === undefined) return whole;
  const { oneof } = field;
  if (oneof !== undefined)
    return parts.slice(index + 1).some((later) => later.field?.oneof === oneof)
      ? EMPTY
      : framed(field, lastChoices(field.message, content));
  if (field.fieldKind === 'list') return framed(field, lastChoices(field.message, content));
  const same = parts.filter((part) => part.field === field);
  if (same[0]?.whole !== whole) return EMPTY;
  return framed(field, lastChoices(field.message, concat(...same.map((part) => part.content))));
}

function framed({ number }: DescField, content: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();
}
