/** Finds the file that declares a symbol or an extension, with the files that it imports. */
import { toBinary, type DescExtension, type DescFile, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { ServedFiles } from '../services/index.js';

export class DescriptorIndex {
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  /** Files of extensions, by the message that is extended. */
  readonly #extensions = new Map<string, Map<number, DescFile>>();
  readonly #messages = new Set<string>();
  /** Encoded on first request. */
  readonly #encoded = new Map<string, Uint8Array>();

  constructor({ files }: ServedFiles) {
    for (const file of files) this.#add(file);
  }

  /** The file and its imports, without those in `sent`; adds them to `sent`. Undefined when the file is unknown. */
  byName(name: string, sent: Set<string>): Uint8Array[] | undefined {
    const file = this.#files.get(name);
    return file && this.#withImports(file, sent);
  }

  /**
   * Finds descriptors as `byName` does, for the file that declares a service, method, message, field, enum, value or
   * extension.
   */
  bySymbol(symbol: string, sent: Set<string>): Uint8Array[] | undefined {
    const file = this.#symbols.get(symbol);
    return file && this.#withImports(file, sent);
  }

  byExtension(extendee: string, number: number, sent: Set<string>): Uint8Array[] | undefined {
    const file = this.#extensions.get(extendee)?.get(number);
    return file && this.#withImports(file, sent);
  }

  /** Numbers of the known extensions of a message; undefined when the message is unknown. */
  extensionNumbers(extendee: string): number[] | undefined {
    return this.#messages.has(extendee)
      ? [...(this.#extensions.get(extendee)?.keys() ?? [])].sort((a, b) => a - b)
      : undefined;
  }

  /** The requested file comes first, even when it was sent before. */
  #withImports(file: DescFile, sent: Set<string>): Uint8Array[] {
    const answer = [this.#bytesOf(file)];
    sent.add(file.name);
    const add = (imported: DescFile): void => {
      if (sent.has(imported.name)) return;
      sent.add(imported.name);
      answer.push(this.#bytesOf(imported));
      for (const next of imported.dependencies) add(next);
    };
    for (const imported of file.dependencies) add(imported);
    return answer;
  }

  #bytesOf(file: DescFile): Uint8Array {
    const known = this.#encoded.get(file.name);
    if (known !== undefined) return known;
    const bytes = toBinary(FileDescriptorProtoSchema, file.proto);
    this.#encoded.set(file.name, bytes);
    return bytes;
  }

  #add(file: DescFile): void {
    // Descriptors name a file without its ending; reflection names it with the ending.
    this.#files.set(file.proto.name, file);
    for (const service of file.services) {
      this.#symbols.set(service.typeName, file);
      for (const { name } of service.methods) this.#symbols.set(`${service.typeName}.${name}`, file);
    }
    for (const { typeName, values } of file.enums) {
      this.#symbols.set(typeName, file);
      for (const { name } of values) this.#symbols.set(`${scopeOf(typeName)}${name}`, file);
    }
    for (const extension of file.extensions) this.#addExtension(extension, file);
    for (const message of file.messages) this.#addMessage(message, file);
  }

  #addMessage(message: DescMessage, file: DescFile): void {
    this.#messages.add(message.typeName);
    this.#symbols.set(message.typeName, file);
    for (const { name } of [...message.fields, ...message.oneofs])
      this.#symbols.set(`${message.typeName}.${name}`, file);
    for (const { typeName, values } of message.nestedEnums) {
      this.#symbols.set(typeName, file);
      for (const { name } of values) this.#symbols.set(`${scopeOf(typeName)}${name}`, file);
    }
    for (const extension of message.nestedExtensions) this.#addExtension(extension, file);
    for (const nested of message.nestedMessages) this.#addMessage(nested, file);
  }

  #addExtension({ typeName, extendee, number }: DescExtension, file: DescFile): void {
    this.#symbols.set(typeName, file);
    const numbers = this.#extensions.get(extendee.typeName) ?? new Map<number, DescFile>();
    this.#extensions.set(extendee.typeName, numbers.set(number, file));
  }
}

/** Scope of the values of an enum: they are siblings of the enum, not members of it. */
function scopeOf(typeName: string): string {
  return typeName.slice(0, typeName.lastIndexOf('.') + 1);
}
