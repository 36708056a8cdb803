import type { DescEnum, DescField, DescMessage, DescOneof, ScalarType } from '@bufbuild/protobuf';
import { safeObjectProperty } from '@bufbuild/protobuf/reflect';
import { invariant } from '../errors.js';
import { camelCase } from './camel-case.js';
import { type FieldParts, textOptionOf } from './field-parts.js';
import { findType } from './find-type.js';
import type { LazyHome } from './home.js';
import { fieldProto } from './protos.js';
import type { Span } from './spans.js';

/** A message whose fields are told here. */
export interface FieldHome extends DescMessage {
  readonly file: LazyHome;
}

/** `FieldDescriptorProto.Type` (`google/protobuf/descriptor.proto`), where it matters which one. */
const TYPE = { string: 9, group: 10, message: 11, bytes: 12, enum: 14, last: 18 } as const;
/** `FeatureSet.FieldPresence`: whether a field that is absent differs from one with the zero value. */
const PRESENCE = { explicit: 1, implicit: 2 } as const;
/** What fields of every kind have, where their kind says nothing else. */
const NOTHING = { scalar: undefined, message: undefined, enum: undefined } as const;
const LIST = { ...NOTHING, fieldKind: 'list', oneof: undefined } as const;
const SINGULAR = { ...NOTHING, getDefaultValue: () => undefined } as const;

/** What all fields of a proto3 message have. */
export class PlainField {
  readonly kind = 'field';
  readonly name: string;
  readonly number: number;
  readonly jsonName: string;
  readonly localName: string;
  readonly deprecated: boolean;
  readonly presence: DescField['presence'];
  readonly utf8Validation = true;
  readonly longAsString = false;
  readonly parent: FieldHome;
  readonly #span: Span;
  #proto: DescField['proto'] | undefined;

  constructor(parts: FieldParts, parent: FieldHome, span: Span, oneof: DescOneof | undefined) {
    const { name, isRepeated, isOptional } = parts;
    const camel = camelCase(name);
    this.name = name;
    this.number = parts.number;
    this.jsonName = parts.jsonName ?? camel;
    this.localName = oneof === undefined ? safeObjectProperty(camel) : camel;
    this.deprecated = parts.isDeprecated;
    const isTold = oneof !== undefined || isOptional || parts.type === TYPE.message;
    this.presence = isTold && !isRepeated ? PRESENCE.explicit : PRESENCE.implicit;
    this.parent = parent;
    this.#span = span;
  }

  get proto() {
    return (this.#proto ??= fieldProto(this.parent.file.bytes, this.#span));
  }

  /** The option of this number, a text; undefined where it is absent. */
  textOption(number: number): string | undefined {
    return textOptionOf(this.parent.file.bytes, this.#span, number);
  }

  toString(): string {
    return `field ${this.parent.typeName}.${this.name}`;
  }
}

/** A field of a proto3 message, as the library describes it (`@bufbuild/protobuf` 2.17, `DescField`). No map. */
export function fieldOf(parts: FieldParts, parent: FieldHome, span: Span, oneof: DescOneof | undefined): DescField {
  const { isRepeated, isPacked, type, typeName } = parts;
  const plain = new PlainField(parts, parent, span, oneof);
  if (type === TYPE.message) {
    const found = { message: messageNamed(parent, typeName), delimitedEncoding: false } as const;
    return isRepeated
      ? Object.assign(plain, { ...LIST, listKind: 'message', ...found, packed: false } as const)
      : Object.assign(plain, { ...SINGULAR, fieldKind: 'message', ...found, oneof } as const);
  }
  if (type === TYPE.enum) {
    const found = enumNamed(parent, typeName);
    return isRepeated
      ? Object.assign(plain, { ...LIST, listKind: 'enum', enum: found, packed: isPacked } as const)
      : Object.assign(plain, { ...SINGULAR, fieldKind: 'enum', enum: found, oneof } as const);
  }
  invariant(isScalar(type), `${plain.toString()} has a type of proto3`);
  const scalar = { scalar: type } as const;
  const packed = isPacked && type !== TYPE.string && type !== TYPE.bytes;
  if (isRepeated) return Object.assign(plain, { ...LIST, listKind: 'scalar', ...scalar, packed } as const);
  const single = { ...SINGULAR, fieldKind: 'scalar', ...scalar } as const;
  // The compiler looks at no more than 25 kinds at once, and there are 15 scalars.
  return oneof === undefined ? Object.assign(plain, single, { oneof }) : Object.assign(plain, single, { oneof });
}

export function messageNamed({ file }: { readonly file: DescMessage['file'] }, typeName: string): DescMessage {
  const found = findType(file, typeName);
  invariant(found?.kind === 'message', `${file.name} knows the message ${typeName}`);
  return found;
}

function enumNamed({ file }: DescMessage, typeName: string): DescEnum {
  const found = findType(file, typeName);
  invariant(found?.kind === 'enum', `${file.name} knows the enum ${typeName}`);
  return found;
}

function isScalar(type: number): type is ScalarType {
  return type > 0 && type <= TYPE.last && type !== TYPE.group && type !== TYPE.message && type !== TYPE.enum;
}
