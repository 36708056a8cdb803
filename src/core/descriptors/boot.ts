/**
 * The functions that the library's code of `google/protobuf/descriptor.proto` calls, which the build puts in the place
 * of the library's. No start looks into the descriptor of descriptors. Everything here is a function, because that code
 * runs before what stands at the top of this module: each imports the other.
 */
import type { DescEnum, DescFile, DescMessage } from '@bufbuild/protobuf';
import * as library from '@bufbuild/protobuf/codegenv2';
import { lazily } from './lazily.js';

/** `content` is called, where the library takes the value itself: the build writes it so. */
export function boot(content: () => Parameters<typeof library.boot>[0]): DescFile {
  return lazily(() => library.boot(content()));
}

export function messageDesc(file: DescFile, path: number, ...paths: number[]): DescMessage {
  return lazily(() => library.messageDesc(file, path, ...paths));
}

export function enumDesc(file: DescFile, path: number, ...paths: number[]): DescEnum {
  return lazily(() => library.enumDesc(file, path, ...paths));
}
