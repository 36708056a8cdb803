/**
 * When a member of a `oneof` occurs twice, Go's generated decoders replace its message, while the protobuf
 * specification merges both (protobuf.dev, "Encoding", last one wins; gogoproto v1.7 `plugin/unmarshal`, cosmos-proto
 * v1.0 `features/fastreflection`). Both merge fields outside of a `oneof`.
 */
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Rewrites bytes so that a merging codec reads the same message as Go. Throws for malformed bytes. */
export function keepLastOneofMembers(schema: DescMessage, bytes: Uint8Array): Uint8Array {
  return holdsChoices(schema) && comesAgain(schema, bytes) ? rewritten(schema, bytes) : bytes;
}

/** True when a message of this type can contain, at any depth, a `oneof` with a message. */
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

/** True when a singular message field that is or contains such a `oneof` occurs twice. */
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

/**
 * Writes each field once: the last member of a `oneof`, and the concatenation of any other singular message, which
 * the codec merges.
 */
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
