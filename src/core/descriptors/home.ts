import type { DescFile, DescMessage } from '@bufbuild/protobuf';
import type { FileParts } from './spans.js';

/** A file whose types are read when they are asked for. */
export interface LazyHome extends DescFile {
  readonly bytes: Uint8Array;
  readonly parts: FileParts;
  /** The library's own description, for what only it knows. */
  readonly library: DescFile;
}

/** The full name of the type `name`, which lies in a message, or at the top of its file. */
export function nestedTypeName(
  { file, parent }: { readonly file: LazyHome; readonly parent: DescMessage | undefined },
  name: string,
): string {
  return parent === undefined ? `${file.parts.prefix}${name}` : `${parent.typeName}.${name}`;
}
