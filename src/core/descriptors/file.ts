import type { DescEnum, DescFile, DescMessage, DescService } from '@bufbuild/protobuf';
import * as library from '@bufbuild/protobuf/codegenv2';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { LazyEnum } from './enum.js';
import type { LazyHome } from './home.js';
import { LazyMessage } from './message.js';
import { fileProto } from './protos.js';
import { LazyService } from './service.js';
import { type FileParts, filePartsOf } from './spans.js';

/** A file of which nothing is read before it is asked for. */
export class LazyFile implements LazyHome {
  readonly kind = 'file';
  readonly dependencies: DescFile[];
  readonly #encoded: string;
  readonly #messages: LazyMessage[] = [];
  readonly #enums: LazyEnum[] = [];
  readonly #services: LazyService[] = [];
  #bytes: Uint8Array | undefined;
  #parts: FileParts | undefined;
  #proto: DescFile['proto'] | undefined;
  #library: DescFile | undefined;

  /** The file with this descriptor in base64, and the files that it imports. */
  constructor(encoded: string, imports: readonly DescFile[]) {
    this.#encoded = encoded;
    this.dependencies = [...imports];
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= base64Decode(this.#encoded));
  }
  get parts(): FileParts {
    return (this.#parts ??= filePartsOf(this.bytes));
  }
  /** The library's own description, for what only it knows. */
  get library(): DescFile {
    return (this.#library ??= libraryFile(this.#encoded, this.dependencies));
  }

  get name() {
    return this.parts.name.replace(/\.proto$/, '');
  }
  get edition() {
    return this.parts.isProto3 ? PROTO3 : this.library.edition;
  }
  get deprecated() {
    return this.parts.isDeprecated;
  }
  get messages(): DescMessage[] {
    return this.parts.messages.map((_, index) => this.messageAt(index));
  }
  get enums(): DescEnum[] {
    return this.parts.enums.map((_, index) => this.enumAt(index));
  }
  get services(): DescService[] {
    return this.parts.services.map((_, index) => this.serviceAt(index));
  }
  get extensions() {
    return this.parts.hasExtensions ? this.library.extensions : [];
  }
  get proto() {
    return (this.#proto ??= fileProto(
      this.bytes,
      this.dependencies.map(({ name }) => `${name}.proto`),
    ));
  }

  messageAt(index: number): LazyMessage {
    return (this.#messages[index] ??= new LazyMessage(this, undefined, index));
  }

  enumAt(index: number): LazyEnum {
    return (this.#enums[index] ??= new LazyEnum(this, undefined, index));
  }

  serviceAt(index: number): LazyService {
    return (this.#services[index] ??= new LazyService(this, index));
  }

  toString(): string {
    return `file ${this.parts.name}`;
  }
}

/** `Edition.EDITION_PROTO3` (`google/protobuf/descriptor.proto`). */
const PROTO3 = 999;

/**
 * The library registers the types of the imports of imports as often as a way leads to them. Types of a file are found
 * in the file and its own imports, because no file here imports publicly.
 */
function libraryFile(encoded: string, imports: readonly DescFile[]): DescFile {
  const wholes = imports.map(libraryOf);
  const file = library.fileDesc(
    encoded,
    wholes.map((each) => ({ ...each, dependencies: [] })),
  );
  file.dependencies.splice(0, wholes.length, ...wholes);
  return file;
}

/** The library's own description of a file. */
export function libraryOf(file: DescFile): DescFile {
  return file instanceof LazyFile ? file.library : file;
}
