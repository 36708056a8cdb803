/** Finds the proto file that declares a symbol or extension, with its imports. */
import { toBinary, type AnyDesc, type DescFile } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { ServedFiles } from '../services/index.js';

export class DescriptorIndex {
  /** Encoded file descriptors, cached. */
  readonly #encoded = new Map<string, Uint8Array>();

  constructor(private readonly served: Pick<ServedFiles, 'files' | 'registry'>) {}

  /**
   * Descriptors of the file and its imports that are not in `sent`, to which they are added. Undefined if the file is
   * unknown.
   */
  byName(name: string, sent: Set<string>): Uint8Array[] | undefined {
    // descriptors omit the file suffix that reflection requests have
    return this.#withImports(
      this.served.files.find(({ proto }) => proto.name === name),
      sent,
    );
  }

  /**
   * Finds descriptors as `byName` does, for the file that declares a service, method, message, field, enum, value or
   * extension.
   */
  bySymbol(symbol: string, sent: Set<string>): Uint8Array[] | undefined {
    const { registry } = this.served;
    const end = symbol.lastIndexOf('.');
    const parent = registry.get(symbol.slice(0, end));
    const declaring =
      registry.get(symbol) ??
      (parent !== undefined && membersOf(parent).includes(symbol.slice(end + 1)) ? parent : undefined) ??
      // the values of an enum are siblings of the enum, not members of it
      [...registry].find(
        (type) => type.kind === 'enum' && type.values.some(({ name }) => `${scopeOf(type.typeName)}${name}` === symbol),
      );
    return this.#withImports(declaring?.file, sent);
  }

  byExtension(extendee: string, number: number, sent: Set<string>): Uint8Array[] | undefined {
    return this.#withImports(this.#extensionsOf(extendee).find((extension) => extension.number === number)?.file, sent);
  }

  /** Numbers of the known extensions of a message; undefined when the message is unknown. */
  extensionNumbers(extendee: string): number[] | undefined {
    return this.served.registry.getMessage(extendee) === undefined
      ? undefined
      : this.#extensionsOf(extendee)
          .map(({ number }) => number)
          .sort((a, b) => a - b);
  }

  #extensionsOf(extendee: string) {
    return [...this.served.registry].flatMap((type) =>
      type.kind === 'extension' && type.extendee.typeName === extendee ? [type] : [],
    );
  }

  /** The requested file comes first, even if it was sent before. */
  #withImports(file: DescFile | undefined, sent: Set<string>): Uint8Array[] | undefined {
    if (file === undefined) return undefined;
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
}

/** Names of the methods of a service, and of the fields and oneofs of a message. */
function membersOf(type: AnyDesc): readonly string[] {
  const members =
    type.kind === 'service' ? type.methods : type.kind === 'message' ? [...type.fields, ...type.oneofs] : [];
  return members.map(({ name }) => name);
}

/** Package or message that contains an enum, with a trailing dot. */
function scopeOf(typeName: string): string {
  return typeName.slice(0, typeName.lastIndexOf('.') + 1);
}
