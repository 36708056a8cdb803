import type { DescEnum, DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { safeObjectProperty } from '@bufbuild/protobuf/reflect';
import { invariant } from '../errors.js';
import { LazyEnum } from './enum.js';
import { camelCase } from './camel-case.js';
import { fieldOf } from './field.js';
import { fieldPartsOf } from './field-parts.js';
import { type LazyHome, nestedTypeName } from './home.js';
import { messageProto } from './protos.js';
import { type MessageParts, messagePartsOf, type Span } from './spans.js';

type Members = Pick<DescMessage, 'fields' | 'field' | 'oneofs' | 'members'>;

/** A message of which nothing is read before it is asked for. */
export class LazyMessage implements DescMessage {
  readonly kind = 'message';
  readonly file: LazyHome;
  readonly parent: LazyMessage | undefined;
  readonly #index: number;
  readonly #messages: LazyMessage[] = [];
  readonly #enums: LazyEnum[] = [];
  #parts: MessageParts | undefined;
  #typeName: string | undefined;
  #members: Members | undefined;
  #proto: DescMessage['proto'] | undefined;

  /** The message with this index in `parent`, or at the top of `file`. */
  constructor(file: LazyHome, parent: LazyMessage | undefined, index: number) {
    this.file = file;
    this.parent = parent;
    this.#index = index;
  }

  get parts(): MessageParts {
    return (this.#parts ??= messagePartsOf(this.file.bytes, this.#span()));
  }

  get typeName(): string {
    return (this.#typeName ??= nestedTypeName(this, this.parts.name));
  }
  get name() {
    return this.parts.name;
  }
  get deprecated() {
    return this.parts.isDeprecated;
  }
  get fields() {
    return this.#told.fields;
  }
  get field() {
    return this.#told.field;
  }
  get oneofs() {
    return this.#told.oneofs;
  }
  get members() {
    return this.#told.members;
  }
  get nestedMessages(): DescMessage[] {
    return this.parts.nested.map((_, index) => this.messageAt(index));
  }
  get nestedEnums(): DescEnum[] {
    return this.parts.enums.map((_, index) => this.enumAt(index));
  }
  get nestedExtensions() {
    return this.parts.hasExtensions ? this.library.nestedExtensions : [];
  }
  get proto() {
    return (this.#proto ??= messageProto(this.file.bytes, this.#span()));
  }

  /** The library's own description, for what only it knows. */
  get library(): DescMessage {
    const found = (this.parent?.library.nestedMessages ?? this.file.library.messages)[this.#index];
    invariant(found !== undefined, 'the library finds the same messages');
    return found;
  }

  messageAt(index: number): LazyMessage {
    return (this.#messages[index] ??= new LazyMessage(this.file, this, index));
  }

  enumAt(index: number): LazyEnum {
    return (this.#enums[index] ??= new LazyEnum(this.file, this, index));
  }

  toString(): string {
    return `message ${this.typeName}`;
  }

  #span(): Span {
    const span = (this.parent?.parts.nested ?? this.file.parts.messages)[this.#index];
    invariant(span !== undefined, 'generated code names messages that are there');
    return span;
  }

  get #told(): Members {
    return (this.#members ??= this.parts.hasMaps || !this.file.parts.isProto3 ? this.library : membersOf(this));
  }
}

function membersOf(message: LazyMessage): Members {
  const { bytes } = message.file;
  const fields: DescField[] = [];
  const field: Record<string, DescField> = {};
  const members: (DescField | DescOneof)[] = [];
  const oneofs = message.parts.oneofs.map((name, index) => oneofOf(message, name, index));
  for (const span of message.parts.fields) {
    const parts = fieldPartsOf(bytes, span);
    const oneof = parts.oneof === undefined ? undefined : oneofs[parts.oneof];
    const made = fieldOf(parts, message, span, oneof);
    fields.push(made);
    field[made.localName] = made;
    if (oneof === undefined) members.push(made);
    else if (oneof.fields.push(made) === 1) members.push(oneof);
  }
  return { fields, field, members, oneofs: oneofs.filter((oneof) => oneof.fields.length > 0) };
}

function oneofOf(parent: LazyMessage, name: string, index: number): DescOneof {
  return {
    kind: 'oneof',
    name,
    localName: safeObjectProperty(camelCase(name)),
    parent,
    fields: [],
    deprecated: false,
    get proto() {
      const found = parent.proto.oneofDecl[index];
      invariant(found !== undefined, 'a descriptor is read in the same way twice');
      return found;
    },
    toString: () => `oneof ${parent.typeName}.${name}`,
  };
}
