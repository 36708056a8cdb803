import type { DescEnum, DescFile, DescMessage } from '@bufbuild/protobuf';

type Type = DescMessage | DescEnum;

/** Types at the top of a file, by their full names. */
const typesOf = new WeakMap<DescFile, ReadonlyMap<string, Type>>();

/**
 * The type that a field or a method of `file` names, in the file or in those that it imports; a public import would be
 * followed further, but no file here has one. The name is a full one with a dot before it
 * (`google/protobuf/descriptor.proto`, `FieldDescriptorProto.type_name`).
 */
export function findType(file: DescFile, dotted: string): Type | undefined {
  const name = dotted.slice(1);
  const found = typeIn(file, name);
  if (found !== undefined) return found;
  for (const imported of file.dependencies) {
    const there = typeIn(imported, name);
    if (there !== undefined) return there;
  }
  return undefined;
}

function typeIn(file: DescFile, name: string): Type | undefined {
  let types = typesOf.get(file);
  if (types === undefined) {
    types = new Map([...file.messages, ...file.enums].map((type) => [type.typeName, type]));
    typesOf.set(file, types);
  }
  const found = types.get(name);
  if (found !== undefined) return found;
  const dot = name.lastIndexOf('.');
  if (dot < 0) return undefined;
  const outer = typeIn(file, name.slice(0, dot));
  if (outer?.kind !== 'message') return undefined;
  return [...outer.nestedMessages, ...outer.nestedEnums].find(({ typeName }) => typeName === name);
}
