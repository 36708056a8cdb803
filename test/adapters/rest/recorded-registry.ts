/** The descriptors of the recorded node, including those of modules that do not exist here. */
import { create, createFileRegistry, fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';
import { readFileSync } from 'node:fs';
import { goldenPath } from '../../support/golden.js';

/** All files that the Go node serves; imports that the recording lacks define only options and are left out. */
export function recordedRegistry(): FileRegistry {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(goldenPath('descriptors/evmd-0.6.0.fds.binpb')));
  const builtIn = [
    file_google_protobuf_any,
    file_google_protobuf_descriptor,
    file_google_protobuf_duration,
    file_google_protobuf_timestamp,
  ].map(({ proto }) => proto);
  const all = [...builtIn, ...file.filter(({ name }) => !builtIn.some((one) => one.name === name))];
  const byName = new Map(all.map((one) => [one.name, one]));
  const ordered = new Set<FileDescriptorProto>();
  const add = (one: FileDescriptorProto): void => {
    one.dependency = one.dependency.filter((name) => byName.has(name));
    for (const name of one.dependency) add(byName.get(name) ?? one);
    ordered.add(one);
  };
  for (const one of all) add(one);
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...ordered] }));
}
