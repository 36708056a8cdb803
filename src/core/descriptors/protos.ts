/**
 * Descriptors as messages, as the library holds them in `proto`: with the names of fields in JSON, which the generator
 * leaves out where they follow from the name.
 */
import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { camelCase } from './camel-case.js';
import type { Span } from './spans.js';

/** `imports`: names of the imported files. */
export function fileProto(bytes: Uint8Array, imports: readonly string[]): FileDescriptorProto {
  const proto = fromBinary(FileDescriptorProtoSchema, bytes);
  proto.dependency = [...imports];
  for (const message of proto.messageType) nameFields(message);
  return proto;
}

export function messageProto(bytes: Uint8Array, { start, end }: Span): DescriptorProto {
  const proto = fromBinary(DescriptorProtoSchema, bytes.subarray(start, end));
  nameFields(proto);
  return proto;
}

export function fieldProto(bytes: Uint8Array, { start, end }: Span): FieldDescriptorProto {
  const proto = fromBinary(FieldDescriptorProtoSchema, bytes.subarray(start, end));
  nameField(proto);
  return proto;
}

export function enumProto(bytes: Uint8Array, { start, end }: Span): EnumDescriptorProto {
  return fromBinary(EnumDescriptorProtoSchema, bytes.subarray(start, end));
}

export function serviceProto(bytes: Uint8Array, { start, end }: Span): ServiceDescriptorProto {
  return fromBinary(ServiceDescriptorProtoSchema, bytes.subarray(start, end));
}

function nameFields({ field, nestedType }: DescriptorProto): void {
  for (const each of field) nameField(each);
  for (const nested of nestedType) nameFields(nested);
}

function nameField(field: FieldDescriptorProto): void {
  if (field.jsonName === '') field.jsonName = camelCase(field.name);
}
