/**
 * Reads type names from the bytes of a protobuf file descriptor without decoding the rest. Field numbers are those of
 * `google/protobuf/descriptor.proto`.
 */
import { toOrderedString } from '../bytes/key-order.js';
import { MessageFields } from '../bytes/message-fields.js';

/** A message with the types declared in it, except map entries, as in generated code. */
export interface MessageNames {
  readonly typeName: string;
  readonly messages: readonly MessageNames[];
  readonly enums: readonly string[];
}

/** A file with the full names of its types, in order. */
export interface FileNames {
  /** Path including `.proto`. */
  readonly path: string;
  readonly messages: readonly MessageNames[];
  readonly enums: readonly string[];
  readonly services: readonly string[];
  readonly hasExtensions: boolean;
}

const FILE = { name: 1, package: 2, message: 4, enum: 5, service: 6, extension: 7 } as const;
const MESSAGE = { name: 1, message: 3, enum: 4, options: 7 } as const;
/** Field number of `MessageOptions.map_entry`. */
const MAP_ENTRY = 7;

/** Reads the names from an encoded `FileDescriptorProto`. */
export function fileNamesOf(bytes: Uint8Array): FileNames {
  const fields = fieldsOf(bytes);
  const prefix = textsOf(fields, FILE.package)
    .map((name) => `${name}.`)
    .join('');
  return {
    path: textsOf(fields, FILE.name).join(''),
    messages: partsOf(fields, FILE.message).map((part) => messageNamesOf(part, prefix)),
    enums: partsOf(fields, FILE.enum).map((part) => prefix + nameOf(part)),
    services: partsOf(fields, FILE.service).map((part) => prefix + nameOf(part)),
    hasExtensions: partsOf(fields, FILE.extension).length > 0,
  };
}

function messageNamesOf(bytes: Uint8Array, prefix: string): MessageNames {
  const fields = fieldsOf(bytes);
  const typeName = prefix + textsOf(fields, MESSAGE.name).join('');
  return {
    typeName,
    messages: partsOf(fields, MESSAGE.message)
      .filter((part) => !isMapEntry(part))
      .map((part) => messageNamesOf(part, `${typeName}.`)),
    enums: partsOf(fields, MESSAGE.enum).map((part) => `${typeName}.${nameOf(part)}`),
  };
}

type Fields = readonly (readonly [number: number, content: Uint8Array])[];

function fieldsOf(bytes: Uint8Array): Fields {
  const found: [number, Uint8Array][] = [];
  const at = new MessageFields(bytes);
  while (at.next()) found.push([at.field, at.content()]);
  return found;
}

function partsOf(fields: Fields, number: number): readonly Uint8Array[] {
  return fields.filter(([field]) => field === number).map(([, content]) => content);
}

/** Texts of a field; names are ASCII. */
function textsOf(fields: Fields, number: number): readonly string[] {
  return partsOf(fields, number).map(toOrderedString);
}

function nameOf(bytes: Uint8Array): string {
  return textsOf(fieldsOf(bytes), MESSAGE.name).join('');
}

function isMapEntry(message: Uint8Array): boolean {
  return partsOf(fieldsOf(message), MESSAGE.options).some(
    (options) => partsOf(fieldsOf(options), MAP_ENTRY).length > 0,
  );
}
