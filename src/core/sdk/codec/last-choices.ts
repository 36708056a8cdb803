/**
 * Go's generated decoders replace the message that a `oneof` holds when a member comes again, where the specification
 * of protobuf merges two of the same member (protobuf.dev, "Encoding", last one wins; gogoproto v1.7
 * `plugin/unmarshal`, cosmos-proto v1.0 `features/fastreflection`). A field outside of a `oneof` is merged by both.
 */
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** The bytes of the same message as Go reads them, for a codec that merges. Throws for bytes that are no message. */
export function lastChoices(schema: DescMessage, bytes: Uint8Array): Uint8Array {
  return holdsChoices(schema) && comesAgain(schema, bytes) ? rewritten(schema, bytes) : bytes;
}

/** Checks whether a message of this type can contain, at any depth, a `oneof` with a message. */
function holdsChoices(schema: DescMessage): boolean {
  let known = holding.get(schema);
  if (known === undefined) {
    known = [...reachable(schema, new Set())].some(({ fields }) => fields.some(isChoice));
    holding.set(schema, known);
  }
  return known;
}

const holding = new WeakMap<DescMessage, boolean>();

function reachable(schema: DescMessage, found: Set<DescMessage>): Set<DescMessage> {
  if (found.has(schema)) return found;
  found.add(schema);
  for (const field of schema.fields) {
    const inner = messageOf(field);
    if (inner !== undefined) reachable(inner, found);
  }
  return found;
}

const messageOf = (field: DescField | undefined): DescMessage | undefined =>
  field?.fieldKind === 'message' || (field?.fieldKind === 'list' && field.listKind === 'message')
    ? field.message
    : undefined;
const isChoice = (field: DescField): boolean => field.fieldKind === 'message' && field.oneof !== undefined;

/** Checks whether a single message that contains choices, or is one, comes twice in one message. */
function comesAgain(schema: DescMessage, bytes: Uint8Array): boolean {
  const seen = new Set<number>();
  for (const reader = new BinaryReader(bytes); reader.pos < reader.len;) {
    const [number, wireType] = reader.tag();
    const field = fieldOf(schema, number);
    const inner = messageOf(field);
    if (field === undefined || inner === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    const content = reader.bytes();
    if (field.fieldKind === 'message') {
      if (seen.has(number)) return true;
      if (isChoice(field) || holdsChoices(inner)) seen.add(number);
    }
    if (holdsChoices(inner) && comesAgain(inner, content)) return true;
  }
  return false;
}

const fieldOf = (schema: DescMessage, number: number): DescField | undefined =>
  schema.fields.find((field) => field.number === number);

/** Each part once: of a `oneof` the last member, of any other single message all that came, which the codec merges. */
function rewritten(schema: DescMessage, bytes: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  const singles = new Map<DescOneof | DescField, Single>();
  for (const reader = new BinaryReader(bytes); reader.pos < reader.len;) {
    const begin = reader.pos;
    const [number, wireType] = reader.tag();
    const field = fieldOf(schema, number);
    const inner = messageOf(field);
    if (field?.fieldKind === 'message') {
      const known = field.oneof === undefined ? singles.get(field) : undefined;
      if (known === undefined) singles.set(field.oneof ?? field, { field, contents: [reader.bytes()] });
      else known.contents.push(reader.bytes());
    } else if (inner !== undefined) {
      writer.tag(number, WireType.LengthDelimited).bytes(rewritten(inner, reader.bytes()));
    } else {
      if (field?.oneof !== undefined) singles.delete(field.oneof);
      reader.skip(wireType, number);
      writer.raw(bytes.subarray(begin, reader.pos));
    }
  }
  for (const { field, contents } of singles.values())
    writer.tag(field.number, WireType.LengthDelimited).bytes(rewritten(field.message, joined(contents)));
  return writer.finish();
}

interface Single {
  readonly field: DescField & { readonly fieldKind: 'message' };
  readonly contents: Uint8Array[];
}

function joined(contents: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const content of contents) writer.raw(content);
  return writer.finish();
}
