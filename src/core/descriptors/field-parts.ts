import { fieldsOf, isSet, type Span, textOf } from './spans.js';

/** A field of a message as its descriptor tells it. */
export interface FieldParts {
  readonly name: string;
  readonly number: number;
  readonly isRepeated: boolean;
  readonly type: number;
  /** Full name of the message or enum, with a dot before it. */
  readonly typeName: string;
  readonly jsonName: string | undefined;
  /** Index of its oneof. */
  readonly oneof: number | undefined;
  /** Declared `optional`. */
  readonly isOptional: boolean;
  readonly isPacked: boolean;
  readonly isDeprecated: boolean;
}

/** Fields of `FieldDescriptorProto` (`google/protobuf/descriptor.proto`). */
const FIELD = {
  name: 1,
  number: 3,
  label: 4,
  type: 5,
  typeName: 6,
  options: 8,
  oneof: 9,
  jsonName: 10,
  proto3Optional: 17,
} as const;
/** Fields of `FieldOptions`. */
const OPTIONS = { packed: 2, deprecated: 3 } as const;
/** `FieldDescriptorProto.Label`. */
const REPEATED = 3;

export function fieldPartsOf(bytes: Uint8Array, span: Span): FieldParts {
  let [name, typeName] = ['', ''];
  let [number, label, type] = [0, 0, 0];
  let jsonName: string | undefined;
  let oneof: number | undefined;
  let [isOptional, isPacked, isDeprecated] = [false, true, false];
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field === FIELD.name) name = textOf(at);
    else if (at.field === FIELD.number) number = at.uint32();
    else if (at.field === FIELD.label) label = at.uint32();
    else if (at.field === FIELD.type) type = at.uint32();
    else if (at.field === FIELD.typeName) typeName = textOf(at);
    else if (at.field === FIELD.oneof) oneof = at.uint32();
    else if (at.field === FIELD.jsonName) jsonName = textOf(at);
    else if (at.field === FIELD.proto3Optional) isOptional = at.uint32() !== 0;
    else if (at.field === FIELD.options) {
      isPacked = isSet(bytes, at, OPTIONS.packed, true);
      isDeprecated = isSet(bytes, at, OPTIONS.deprecated);
    }
  }
  // A field declared `optional` has a oneof of its own, which is only a form.
  if (isOptional) oneof = undefined;
  const isRepeated = label === REPEATED;
  return { name, number, isRepeated, type, typeName, jsonName, oneof, isOptional, isPacked, isDeprecated };
}

/** The option of this number of the field that lies there, a text; undefined where it is absent. */
export function textOptionOf(bytes: Uint8Array, span: Span, number: number): string | undefined {
  let found: string | undefined;
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field !== FIELD.options) continue;
    const options = fieldsOf(bytes, at);
    while (options.next()) if (options.field === number) found = textOf(options);
  }
  return found;
}
