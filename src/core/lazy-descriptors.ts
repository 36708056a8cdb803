/**
 * Descriptors that are made when they are first looked into: the functions that generated code calls
 * (`@bufbuild/protobuf/codegenv2`), which the build puts in the place of the library's. A start loads the messages of
 * every module and looks into a third of them (docs/decisions/0007-modules-at-start.md).
 */
import type { DescEnum, DescExtension, DescFile, DescMessage, DescService } from '@bufbuild/protobuf';
import * as whole from '@bufbuild/protobuf/codegenv2';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { MessageFields } from './bytes/message-fields.js';

/** Fields of `google.protobuf.FileDescriptorProto`; in each of the last three, field 1 is a name. */
const FILE = { package: 2, messages: 4, enums: 5, services: 6 } as const;
type Kind = 'messages' | 'enums' | 'services';
type Names = Record<Kind, readonly string[]>;

class LazyFile implements DescFile {
  readonly kind = 'file';
  readonly #encoded: string;
  readonly #imports: readonly DescFile[];
  #whole: DescFile | undefined;
  #names: Names | undefined;

  constructor(encoded: string, imports: readonly DescFile[]) {
    this.#encoded = encoded;
    this.#imports = imports;
  }

  get whole(): DescFile {
    return (this.#whole ??= wholeFile(this.#encoded, this.#imports.map(wholeOf)));
  }

  /** Full names of its types, without the rest of them. */
  get names(): Names {
    return (this.#names ??= namesIn(base64Decode(this.#encoded)));
  }

  get proto() {
    return this.whole.proto;
  }
  get name() {
    return this.whole.name;
  }
  get edition() {
    return this.whole.edition;
  }
  get deprecated() {
    return this.whole.deprecated;
  }
  get dependencies() {
    return this.whole.dependencies;
  }
  get messages() {
    return this.whole.messages;
  }
  get enums() {
    return this.whole.enums;
  }
  get services() {
    return this.whole.services;
  }
  get extensions() {
    return this.whole.extensions;
  }
  toString() {
    return this.whole.toString();
  }
}

function wholeOf(file: DescFile): DescFile {
  return file instanceof LazyFile ? file.whole : file;
}

/**
 * The library registers the types of the imports of imports as often as a way leads to them. Types of a file are found
 * in the file and its own imports, because no file here imports publicly.
 */
function wholeFile(encoded: string, imports: readonly DescFile[]): DescFile {
  const file = whole.fileDesc(
    encoded,
    imports.map((each) => ({ ...each, dependencies: [] })),
  );
  file.dependencies.splice(0, imports.length, ...imports);
  return file;
}

function namesIn(bytes: Uint8Array): Names {
  const names = { messages: new Array<string>(), enums: new Array<string>(), services: new Array<string>() };
  let prefix = '';
  const fields = new MessageFields(bytes);
  const named = (list: string[]): void => {
    const inner = new MessageFields(bytes, fields.start, fields.end);
    while (inner.next()) if (inner.field === 1) list.push(inner.text());
  };
  while (fields.next()) {
    if (fields.field === FILE.package) prefix = `${fields.text()}.`;
    else if (fields.field === FILE.messages) named(names.messages);
    else if (fields.field === FILE.enums) named(names.enums);
    else if (fields.field === FILE.services) named(names.services);
  }
  const full = (list: readonly string[]): readonly string[] => list.map((name) => `${prefix}${name}`);
  return { messages: full(names.messages), enums: full(names.enums), services: full(names.services) };
}

/** What messages, enums and services have in common. */
abstract class LazyType<Type extends DescMessage | DescEnum | DescService> {
  readonly #make: () => Type;
  readonly #nameOf: () => string | undefined;
  #whole: Type | undefined;
  #typeName: string | undefined;

  /** `nameOf`: its full name, where that is known without the rest. */
  constructor(make: () => Type, nameOf: () => string | undefined) {
    this.#make = make;
    this.#nameOf = nameOf;
  }

  protected get whole(): Type {
    return (this.#whole ??= this.#make());
  }

  get typeName(): string {
    return (this.#typeName ??= this.#nameOf() ?? this.whole.typeName);
  }
  get name() {
    return this.whole.name;
  }
  get file() {
    return this.whole.file;
  }
  get deprecated() {
    return this.whole.deprecated;
  }
  toString(): string {
    return this.whole.toString();
  }
}

class LazyMessage extends LazyType<DescMessage> implements DescMessage {
  readonly kind = 'message';

  get proto() {
    return this.whole.proto;
  }
  get parent() {
    return this.whole.parent;
  }
  get fields() {
    return this.whole.fields;
  }
  get field() {
    return this.whole.field;
  }
  get oneofs() {
    return this.whole.oneofs;
  }
  get members() {
    return this.whole.members;
  }
  get nestedEnums() {
    return this.whole.nestedEnums;
  }
  get nestedMessages() {
    return this.whole.nestedMessages;
  }
  get nestedExtensions() {
    return this.whole.nestedExtensions;
  }
}

class LazyEnum extends LazyType<DescEnum> implements DescEnum {
  readonly kind = 'enum';

  get proto() {
    return this.whole.proto;
  }
  get parent() {
    return this.whole.parent;
  }
  get open() {
    return this.whole.open;
  }
  get value() {
    return this.whole.value;
  }
  get values() {
    return this.whole.values;
  }
  get sharedPrefix() {
    return this.whole.sharedPrefix;
  }
}

class LazyService extends LazyType<DescService> implements DescService {
  readonly kind = 'service';

  get proto() {
    return this.whole.proto;
  }
  get method() {
    return this.whole.method;
  }
  get methods() {
    return this.whole.methods;
  }
}

/** A file, by its descriptor in base64 and the files that it imports. */
export function fileDesc(encoded: string, imports: readonly DescFile[] = []): DescFile {
  return new LazyFile(encoded, imports);
}

/** The name of a type that stands at the top of its file. */
function nameIn(file: DescFile, kind: Kind, path: number, paths: readonly number[]): string | undefined {
  return file instanceof LazyFile && paths.length === 0 ? file.names[kind][path] : undefined;
}

export function messageDesc(file: DescFile, path: number, ...paths: number[]): DescMessage {
  return new LazyMessage(
    () => whole.messageDesc(wholeOf(file), path, ...paths),
    () => nameIn(file, 'messages', path, paths),
  );
}

export function enumDesc(file: DescFile, path: number, ...paths: number[]): DescEnum {
  return new LazyEnum(
    () => whole.enumDesc(wholeOf(file), path, ...paths),
    () => nameIn(file, 'enums', path, paths),
  );
}

export function serviceDesc(file: DescFile, path: number): DescService {
  return new LazyService(
    () => whole.serviceDesc(wholeOf(file), path),
    () => nameIn(file, 'services', path, []),
  );
}

/** Extensions are few, and their files are imported by all others: they are made at once. */
export function extDesc(file: DescFile, path: number, ...paths: number[]): DescExtension {
  return whole.extDesc(wholeOf(file), path, ...paths);
}
