import type { DescEnum, DescEnumValue, DescMessage } from '@bufbuild/protobuf';
import { safeObjectProperty } from '@bufbuild/protobuf/reflect';
import { invariant } from '../errors.js';
import { type LazyHome, nestedTypeName } from './home.js';
import { enumProto } from './protos.js';
import { fieldsOf, isSet, type ListParts, listPartsOf, type Span, textOf } from './spans.js';

/** A message that has nested enums. */
interface EnumHome extends DescMessage {
  readonly parts: { readonly enums: readonly Span[] };
  readonly library: DescMessage;
}

/** Fields of `EnumValueDescriptorProto` (`google/protobuf/descriptor.proto`). */
const VALUE = { name: 1, number: 2, options: 3 } as const;
/** The field `deprecated` of `EnumValueOptions`. */
const DEPRECATED = 1;

/** An enum of which nothing is read before it is asked for. */
export class LazyEnum implements DescEnum {
  readonly kind = 'enum';
  readonly file: LazyHome;
  readonly parent: EnumHome | undefined;
  readonly #index: number;
  #parts: ListParts | undefined;
  #proto: DescEnum['proto'] | undefined;
  #members: Pick<DescEnum, 'values' | 'value' | 'sharedPrefix'> | undefined;

  /** The enum with this index in `parent`, or at the top of `file`. */
  constructor(file: LazyHome, parent: EnumHome | undefined, index: number) {
    this.file = file;
    this.parent = parent;
    this.#index = index;
  }

  get typeName(): string {
    return nestedTypeName(this, this.parts.name);
  }
  get name() {
    return this.parts.name;
  }
  get deprecated() {
    return this.parts.isDeprecated;
  }
  /** Enums of proto3 take every number. */
  get open() {
    return this.file.parts.isProto3 || this.library.open;
  }
  get values() {
    return this.#told.values;
  }
  get value() {
    return this.#told.value;
  }
  get sharedPrefix() {
    return this.#told.sharedPrefix;
  }
  get proto() {
    return (this.#proto ??= enumProto(this.file.bytes, this.#span()));
  }

  get parts(): ListParts {
    return (this.#parts ??= listPartsOf(this.file.bytes, this.#span(), 'enum'));
  }

  /** The library's own description, for what only it knows. */
  get library(): DescEnum {
    const found = (this.parent?.library.nestedEnums ?? this.file.library.enums)[this.#index];
    invariant(found !== undefined, 'the library finds the same enums');
    return found;
  }

  toString(): string {
    return `enum ${this.typeName}`;
  }

  get #told() {
    return (this.#members ??= membersOf(this));
  }

  #span(): Span {
    const span = (this.parent ?? this.file).parts.enums[this.#index];
    invariant(span !== undefined, 'generated code names enums that are there');
    return span;
  }
}

function membersOf(parent: LazyEnum): Pick<DescEnum, 'values' | 'value' | 'sharedPrefix'> {
  const { bytes } = parent.file;
  const told = parent.parts.members.map((span) => valuePartsOf(bytes, span));
  const names = told.map(({ name }) => name);
  const sharedPrefix = sharedPrefixOf(parent.name, names);
  const values = told.map(({ name, number, isDeprecated }, index): DescEnumValue => ({
    kind: 'enum_value',
    name,
    localName: safeObjectProperty(name.slice(sharedPrefix?.length ?? 0)),
    number,
    jsonName: name,
    parent,
    deprecated: isDeprecated,
    get proto() {
      const found = parent.proto.value[index];
      invariant(found !== undefined, 'a descriptor is read in the same way twice');
      return found;
    },
    toString: () => `enum value ${parent.typeName}.${name}`,
  }));
  const value: Record<number, DescEnumValue> = {};
  // The first of several names for a number.
  for (const each of values) value[each.number] ??= each;
  return { values, value, sharedPrefix };
}

function valuePartsOf(bytes: Uint8Array, span: Span) {
  let [name, number, isDeprecated] = ['', 0, false];
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field === VALUE.name) name = textOf(at);
    else if (at.field === VALUE.number) number = Number(BigInt.asIntN(32, at.int64()));
    else if (at.field === VALUE.options) isDeprecated = isSet(bytes, at, DEPRECATED);
  }
  return { name, number, isDeprecated };
}

/**
 * What all values of an enum begin with, which code leaves out: the name of the enum in small letters with underscores.
 * Undefined where one does not, or where nothing or a digit would be left (rules of `@bufbuild/protobuf`).
 */
function sharedPrefixOf(enumName: string, names: readonly string[]): string | undefined {
  const prefix = `${enumName.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase()}_`;
  const isShared = names.every(
    (name) => name.toLowerCase().startsWith(prefix) && /^\D/.test(name.slice(prefix.length)),
  );
  return isShared ? prefix : undefined;
}
