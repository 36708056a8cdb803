/**
 * Where the parts of a descriptor lie in the bytes of its file, by what `google/protobuf/descriptor.proto` says of each
 * message that is named here.
 */
import { MessageFields } from '../bytes/message-fields.js';
import { toOrderedString } from '../bytes/key-order.js';

/** The bytes from `start` to `end` of a file, which are one message. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FileParts {
  readonly name: string;
  /** The package with a dot behind it; empty where there is none. */
  readonly prefix: string;
  readonly isProto3: boolean;
  readonly messages: readonly Span[];
  readonly enums: readonly Span[];
  readonly services: readonly Span[];
  readonly hasExtensions: boolean;
  readonly isDeprecated: boolean;
}

export interface MessageParts {
  readonly name: string;
  readonly fields: readonly Span[];
  /** Without those that stand for the entries of maps. */
  readonly nested: readonly Span[];
  readonly hasMaps: boolean;
  readonly enums: readonly Span[];
  readonly oneofs: readonly string[];
  readonly hasExtensions: boolean;
  readonly isDeprecated: boolean;
}

/** An enum with its values, a service with its methods. */
export interface ListParts {
  readonly name: string;
  readonly members: readonly Span[];
  readonly isDeprecated: boolean;
}

/** Fields of `FileDescriptorProto`. */
const FILE = {
  name: 1,
  package: 2,
  messages: 4,
  enums: 5,
  services: 6,
  extensions: 7,
  options: 8,
  syntax: 12,
} as const;
/** Fields of `DescriptorProto`. */
const MESSAGE = { name: 1, fields: 2, nested: 3, enums: 4, extensions: 6, options: 7, oneofs: 8 } as const;
/** Fields of `EnumDescriptorProto` and of `ServiceDescriptorProto`. */
const LIST = { name: 1, members: 2, options: 3 } as const;
/** The field `deprecated` of `FileOptions`, `MessageOptions`, `EnumOptions` and `ServiceOptions`. */
const DEPRECATED = { file: 23, message: 3, enum: 3, service: 33 } as const;
/** The field `map_entry` of `MessageOptions`. */
const MAP_ENTRY = 7;
/** In each message that has a name. */
const NAME = 1;

export function filePartsOf(bytes: Uint8Array): FileParts {
  let [name, prefix] = ['', ''];
  let [isProto3, hasExtensions, isDeprecated] = [false, false, false];
  const messages: Span[] = [];
  const enums: Span[] = [];
  const services: Span[] = [];
  const at = new MessageFields(bytes);
  while (at.next()) {
    if (at.field === FILE.name) name = textOf(at);
    else if (at.field === FILE.package) prefix = `${textOf(at)}.`;
    else if (at.field === FILE.messages) messages.push(spanOf(at));
    else if (at.field === FILE.enums) enums.push(spanOf(at));
    else if (at.field === FILE.services) services.push(spanOf(at));
    else if (at.field === FILE.extensions) hasExtensions = true;
    else if (at.field === FILE.options) isDeprecated = isSet(bytes, at, DEPRECATED.file);
    else if (at.field === FILE.syntax) isProto3 = textOf(at) === 'proto3';
  }
  return { name, prefix, isProto3, messages, enums, services, hasExtensions, isDeprecated };
}

export function messagePartsOf(bytes: Uint8Array, span: Span): MessageParts {
  let name = '';
  let [hasMaps, hasExtensions, isDeprecated] = [false, false, false];
  const fields: Span[] = [];
  const nested: Span[] = [];
  const enums: Span[] = [];
  const oneofs: string[] = [];
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field === MESSAGE.name) name = textOf(at);
    else if (at.field === MESSAGE.fields) fields.push(spanOf(at));
    else if (at.field === MESSAGE.nested) {
      const isEntry = isMapEntry(bytes, at);
      hasMaps ||= isEntry;
      if (!isEntry) nested.push(spanOf(at));
    } else if (at.field === MESSAGE.enums) enums.push(spanOf(at));
    else if (at.field === MESSAGE.oneofs) oneofs.push(nameIn(bytes, at));
    else if (at.field === MESSAGE.extensions) hasExtensions = true;
    else if (at.field === MESSAGE.options) isDeprecated = isSet(bytes, at, DEPRECATED.message);
  }
  return { name, fields, nested, hasMaps, enums, oneofs, hasExtensions, isDeprecated };
}

export function listPartsOf(bytes: Uint8Array, span: Span, kind: 'enum' | 'service'): ListParts {
  let [name, isDeprecated] = ['', false];
  const members: Span[] = [];
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field === LIST.name) name = textOf(at);
    else if (at.field === LIST.members) members.push(spanOf(at));
    else if (at.field === LIST.options) isDeprecated = isSet(bytes, at, DEPRECATED[kind]);
  }
  return { name, members, isDeprecated };
}

/** The fields of the message that lies there. */
export function fieldsOf(bytes: Uint8Array, { start, end }: Span): MessageFields {
  return new MessageFields(bytes, start, end);
}

/** The text of a field: names and types are ASCII. */
export function textOf(at: MessageFields): string {
  return toOrderedString(at.content());
}

/** The name of the message, enum, service or oneof that lies there. */
export function nameIn(bytes: Uint8Array, span: Span): string {
  const at = fieldsOf(bytes, span);
  while (at.next()) if (at.field === NAME) return textOf(at);
  return '';
}

/** The boolean field of this number; `otherwise` where it is absent. */
export function isSet(bytes: Uint8Array, span: Span, field: number, otherwise = false): boolean {
  const at = fieldsOf(bytes, span);
  let isTrue = otherwise;
  while (at.next()) if (at.field === field) isTrue = at.uint32() !== 0;
  return isTrue;
}

function isMapEntry(bytes: Uint8Array, span: Span): boolean {
  const at = fieldsOf(bytes, span);
  while (at.next()) if (at.field === MESSAGE.options && isSet(bytes, at, MAP_ENTRY)) return true;
  return false;
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
