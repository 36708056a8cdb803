/**
 * Replacements for functions of `@bufbuild/protobuf/codegenv2` that generated code calls (`buf.gen.yaml`). At start
 * the code of all files is evaluated, but few types are used: names are read from descriptor bytes, and the library
 * builds everything else per file on first use (docs/decisions/0007-modules-at-start.md).
 */
import type {
  DescEnum,
  DescExtension,
  DescFile,
  DescMessage,
  DescService,
  JsonValue,
  Message,
} from '@bufbuild/protobuf';
import type { GenEnum, GenExtension, GenMessage, GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import * as library from '@bufbuild/protobuf/codegenv2';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { invariant } from '../errors.js';
import { onFirstCall } from '../on-first-call.js';
import { lazily } from './lazily.js';
import { fileNamesOf, type FileNames, type MessageNames } from './type-names.js';

export type { GenEnum, GenExtension, GenFile, GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';

/** Index of a type in its file or in its enclosing message, then within that message. */
type Path = readonly [number, ...number[]];

interface Source {
  readonly names: () => FileNames;
  /** The library's descriptor of the file. */
  readonly whole: () => DescFile;
  readonly messages: Map<string, DescMessage>;
}

const sources = new WeakMap<DescFile, Source>();

/** File with this base64 descriptor and these imports. */
export function fileDesc(encoded: string, imports: readonly DescFile[] = []): DescFile {
  const names = onFirstCall(() => fileNamesOf(base64Decode(encoded)));
  const whole = onFirstCall(() => wholeFile(encoded, imports));
  const proto = onFirstCall(() => lazily<DescFile['proto']>({ name: names().path }, () => whole().proto));
  const known: Partial<DescFile> = {
    kind: 'file',
    dependencies: [...imports],
    get proto() {
      return proto();
    },
    get messages() {
      return names().messages.map((_, index) => messageDesc(file, index));
    },
    get enums() {
      return names().enums.map((_, index) => enumDesc(file, index));
    },
    get services() {
      return names().services.map((_, index) => serviceDesc(file, index));
    },
    get extensions() {
      return names().hasExtensions ? whole().extensions : [];
    },
  };
  const file = lazily(known, whole);
  sources.set(file, { names, whole, messages: new Map() });
  return file;
}

/** Message at `path`; always the same object. */
export function messageDesc<
  Shape extends Message,
  Options extends { jsonType?: unknown; validType?: unknown } = { jsonType: JsonValue },
>(file: DescFile, ...path: Path): GenMessage<Shape, Options>;
export function messageDesc(file: DescFile, ...path: Path): DescMessage {
  const { names, whole, messages } = sourceOf(file);
  const key = path.join();
  const before = messages.get(key);
  if (before !== undefined) return before;
  const own = onFirstCall(() => messageAt(names(), path));
  const known: Partial<DescMessage> = {
    kind: 'message',
    file,
    get typeName() {
      return own().typeName;
    },
    get nestedMessages() {
      return own().messages.map((_, index) => messageDesc(file, ...path, index));
    },
    get nestedEnums() {
      return own().enums.map((_, index) => enumDesc(file, ...path, index));
    },
    nestedExtensions: [],
  };
  const message = lazily(known, () => library.messageDesc(whole(), ...path));
  messages.set(key, message);
  return message;
}

/** Enum at `path`. */
export function enumDesc<Shape extends number, Json extends JsonValue = JsonValue>(
  file: DescFile,
  ...path: Path
): GenEnum<Shape, Json>;
export function enumDesc(file: DescFile, ...path: Path): DescEnum {
  const { names, whole } = sourceOf(file);
  const known: Partial<DescEnum> = {
    kind: 'enum',
    file,
    get typeName() {
      return enumNameAt(names(), path);
    },
  };
  return lazily(known, () => library.enumDesc(whole(), ...path));
}

/** Service at `index`. */
export function serviceDesc<Methods extends GenServiceMethods>(file: DescFile, index: number): GenService<Methods>;
export function serviceDesc(file: DescFile, index: number): DescService {
  const { names, whole } = sourceOf(file);
  const known: Partial<DescService> = {
    kind: 'service',
    file,
    get typeName() {
      return nameAt(names().services, index);
    },
  };
  return lazily(known, () => library.serviceDesc(whole(), index));
}

/** Extension at `path`. */
export function extDesc<Extendee extends Message, Value>(file: DescFile, ...path: Path): GenExtension<Extendee, Value>;
export function extDesc(file: DescFile, ...path: Path): DescExtension {
  const { whole } = sourceOf(file);
  return lazily<DescExtension>({ kind: 'extension' }, () => library.extDesc(whole(), ...path));
}

function sourceOf(file: DescFile): Source {
  const found = sources.get(file);
  invariant(found !== undefined, 'generated code names types of its own file');
  return found;
}

function messageAt(names: FileNames, [first, ...rest]: Path): MessageNames {
  let found = names.messages[first];
  for (const index of rest) found = found?.messages[index];
  invariant(found !== undefined, 'generated code names messages that are there');
  return found;
}

function enumNameAt(names: FileNames, path: Path): string {
  const [first, ...between] = path.slice(0, -1);
  const { enums } = first === undefined ? names : messageAt(names, [first, ...between]);
  return nameAt(enums, path.at(-1) ?? 0);
}

function nameAt(names: readonly string[], index: number): string {
  const name = names[index];
  invariant(name !== undefined, 'generated code names types that are there');
  return name;
}

/**
 * Builds the library's descriptor. The library registers types of all imports, transitively. Types of our files are
 * registered by name; fields use types of direct imports only, because no file here imports publicly.
 */
function wholeFile(encoded: string, imports: readonly DescFile[]): DescFile {
  const file = library.fileDesc(
    encoded,
    imports.map((each) =>
      sources.has(each) ? lazily<DescFile>({ dependencies: [], services: [], extensions: [] }, () => each) : each,
    ),
  );
  file.dependencies.splice(0, imports.length, ...imports);
  return file;
}
