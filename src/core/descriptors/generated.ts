/**
 * The functions that generated code calls (`@bufbuild/protobuf/codegenv2`), which the build puts in the place of the
 * library's. A start evaluates the code of all files and looks into few of their types
 * (docs/decisions/0007-modules-at-start.md).
 */
import type { DescEnum, DescExtension, DescFile, DescMessage, DescService } from '@bufbuild/protobuf';
import * as library from '@bufbuild/protobuf/codegenv2';
import { lazyExtension } from './extension.js';
import { LazyFile, libraryOf } from './file.js';

/** A file, by its descriptor in base64 and the files that it imports. */
export function fileDesc(encoded: string, imports: readonly DescFile[] = []): DescFile {
  return new LazyFile(encoded, imports);
}

export function messageDesc(file: DescFile, path: number, ...paths: number[]): DescMessage {
  if (!(file instanceof LazyFile)) return library.messageDesc(file, path, ...paths);
  return paths.reduce((outer, index) => outer.messageAt(index), file.messageAt(path));
}

export function enumDesc(file: DescFile, path: number, ...paths: number[]): DescEnum {
  if (!(file instanceof LazyFile)) return library.enumDesc(file, path, ...paths);
  const last = paths.at(-1);
  if (last === undefined) return file.enumAt(path);
  return paths
    .slice(0, -1)
    .reduce((outer, index) => outer.messageAt(index), file.messageAt(path))
    .enumAt(last);
}

export function serviceDesc(file: DescFile, path: number): DescService {
  return file instanceof LazyFile ? file.serviceAt(path) : library.serviceDesc(file, path);
}

export function extDesc(file: DescFile, path: number, ...paths: number[]): DescExtension {
  return lazyExtension(() => library.extDesc(libraryOf(file), path, ...paths));
}
