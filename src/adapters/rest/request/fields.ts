/** Finds request fields by path or query names such as `pagination.limit`, in snake or camel case. */
import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { goTypeName } from '../json/go-types.js';
import { durationOfText, timestampOfText, type Instant } from '../json/well-known.js';
import { parseText, writeValue } from './scalar.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';

/** A field with its parent fields, outermost first. */
export interface FieldPath {
  readonly ancestors: readonly DescField[];
  readonly field: DescField;
}

/** Matches `map[key]`, which grpc-gateway v1 `runtime/query.go` reads as a map name with `key` as its first value. */
const SUBSCRIPT = /^(.*)\[(.*)\]$/s;

/** Resolves a query parameter to a field name and its values. */
export function readParameter(name: string, texts: readonly string[]): readonly [string, readonly string[]] {
  const [, field, key] = SUBSCRIPT.exec(name) ?? [];
  return field === undefined || key === undefined ? [name, texts] : [field, [key, ...texts]];
}

/** Finds a field by name; undefined if it does not exist. */
export function findField(desc: DescMessage, name: string): FieldPath | undefined {
  const names = name.split('.');
  const last = names.pop();
  if (last === undefined || names.length > FIXED_LIMITS.fieldNames) return undefined;
  const ancestors: DescField[] = [];
  let within = desc;
  for (const one of names) {
    const field = fieldNamed(within, one);
    if (field?.fieldKind !== 'message') return undefined;
    ancestors.push(field);
    within = field.message;
  }
  const field = fieldNamed(within, last);
  return field === undefined ? undefined : { ancestors, field };
}

const names = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** Finds a field by its proto name or its JSON name. */
export function fieldNamed(desc: DescMessage, name: string): DescField | undefined {
  let known = names.get(desc);
  if (known === undefined) {
    known = new Map([
      ...desc.fields.map((field): readonly [string, DescField] => [field.jsonName, field]),
      ...desc.fields.map((field): readonly [string, DescField] => [field.name, field]),
    ]);
    names.set(desc, known);
  }
  return known.get(name);
}

/**
 * Appends path or query values to an encoded message; protobuf merges repeated parts. A singular field uses the first
 * value. Returns Go's error text, or undefined on success.
 */
export function appendTexts(
  writer: BinaryWriter,
  { ancestors, field }: FieldPath,
  texts: readonly string[],
): string | undefined {
  for (const { number } of ancestors) writer.tag(number, WireType.LengthDelimited).fork();
  const problem = appendLeaf(writer, field, field.fieldKind === 'list' ? texts : texts.slice(0, 1));
  for (const _ of ancestors) writer.join();
  return problem;
}

function appendLeaf(writer: BinaryWriter, field: DescField, texts: readonly string[]): string | undefined {
  if (field.fieldKind === 'map') return undefined;
  if (field.message !== undefined) return appendInstant(writer, field, field.message, texts);
  const scalar = field.scalar ?? ScalarType.INT32;
  for (const text of texts) {
    const parsed = parseText(field, text);
    if (!parsed.ok) return parsed.message;
    writeValue(writer, field.number, scalar, parsed.value);
  }
  return undefined;
}

/** Parsers of messages with a text form. */
export const INSTANTS = new Map([
  ['google.protobuf.Timestamp', timestampOfText],
  ['google.protobuf.Duration', durationOfText],
]);

/** Appends a timestamp or a duration: the only messages with a text form. */
function appendInstant(
  writer: BinaryWriter,
  field: DescField,
  desc: DescMessage,
  texts: readonly string[],
): string | undefined {
  const { typeName } = desc;
  const read = INSTANTS.get(typeName);
  if (read === undefined) return `field type *${goTypeName(desc)} is not supported in query parameters`;
  for (const text of texts) {
    const instant = read(text);
    if (instant === undefined) return `bad ${typeName}: ${JSON.stringify(text.slice(0, 64))}`;
    writeInstant(writer, field.number, instant);
  }
  return undefined;
}

/** Writes a timestamp or duration field. */
export function writeInstant(writer: BinaryWriter, number: number, { seconds, nanos }: Instant): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(seconds).tag(2, WireType.Varint).int32(nanos);
  writer.join();
}
