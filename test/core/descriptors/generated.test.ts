/** Lazy descriptors equal those of @bufbuild/protobuf. */
import {
  create,
  createRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  fromBinary,
  getOption,
  hasOption,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import * as library from '@bufbuild/protobuf/codegenv2';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { file_google_protobuf_struct, FileDescriptorProtoSchema, StructSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { servedFiles } from '../../../src/adapters/services/files.js';
import { enumDesc, extDesc, fileDesc, messageDesc, serviceDesc } from '../../../src/core/descriptors/generated.js';
import { CoinSchema } from '../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { customtype } from '../../../src/core/proto/gogoproto/gogo_pb.js';
import { http } from '../../../src/core/proto/google/api/annotations_pb.js';
import { encode } from '../../support/encode.js';

/** Files of every kind: ours, the library's, one with a map, one of proto2 with extensions. */
const files: readonly DescFile[] = [...servedFiles().files, file_google_protobuf_struct];
const lazy = new Map<string, DescFile>();
const whole = new Map<string, DescFile>();
for (const file of files) {
  const encoded = base64Encode(toBinary(FileDescriptorProtoSchema, file.proto));
  const imports = (made: ReadonlyMap<string, DescFile>): DescFile[] =>
    file.dependencies.map(({ name }) => made.get(name) ?? expect.fail(`${file.name} comes before ${name}`));
  lazy.set(file.name, fileDesc(encoded, imports(lazy)));
  whole.set(file.name, library.fileDesc(encoded, imports(whole)));
}
const pairs = files.map(
  ({ name }) => [name, lazy.get(name) ?? expect.fail(), whole.get(name) ?? expect.fail()] as const,
);

const shownField = (field: DescField): unknown => ({
  ...field,
  message: field.message?.typeName,
  enum: field.enum?.typeName,
  oneof: field.oneof?.name,
  parent: field.parent.typeName,
  toString: field.toString(),
  getDefaultValue: undefined,
});
const shownMessage = (message: DescMessage): unknown => ({
  typeName: message.typeName,
  name: message.name,
  file: message.file.name,
  parent: message.parent?.typeName,
  fields: message.fields.map(shownField),
  nested: [...nestedTypes(message)].map((type) => [type.kind, type.typeName]),
  proto: message.proto,
});
const shownMethod = ({ name, input, output, methodKind }: DescMethod): unknown => [
  name,
  input.typeName,
  output.typeName,
  methodKind,
];

describe('lazy file descriptor', () => {
  it.each(pairs)("%s has the types of the library's descriptor", (_, ours, theirs) => {
    // Names first: they are known before any type is built.
    const names = (file: DescFile): unknown =>
      [...nestedTypes(file)].map((type) => [type.kind, type.typeName, type.toString()]);
    expect(names(ours)).toEqual(names(theirs));
    expect(ours.messages.map(shownMessage)).toEqual(theirs.messages.map(shownMessage));
    expect(ours.services.map(({ methods }) => methods.map(shownMethod))).toEqual(
      theirs.services.map(({ methods }) => methods.map(shownMethod)),
    );
    expect([ours.name, ours.edition, ours.deprecated, ours.toString()]).toEqual([
      theirs.name,
      theirs.edition,
      theirs.deprecated,
      theirs.toString(),
    ]);
    expect(toBinary(FileDescriptorProtoSchema, ours.proto)).toEqual(toBinary(FileDescriptorProtoSchema, theirs.proto));
    expect(ours.dependencies.map(({ name }) => name)).toEqual(theirs.dependencies.map(({ name }) => name));
  });

  it('returns the types at the indices that generated code uses', () => {
    for (const [, ours, theirs] of pairs) {
      const check = (message: DescMessage, ...path: [number, ...number[]]): void => {
        expect(messageDesc(ours, ...path).typeName).toBe(message.typeName);
        message.nestedMessages.forEach((nested, index) => check(nested, ...path, index));
        message.nestedEnums.forEach(({ typeName }, index) =>
          expect(enumDesc(ours, ...path, index)).toMatchObject({ kind: 'enum', typeName }),
        );
      };
      theirs.messages.forEach((message, index) => check(message, index));
      theirs.enums.forEach(({ typeName, values }, index) =>
        expect([enumDesc(ours, index).typeName, enumDesc(ours, index).values.length]).toEqual([
          typeName,
          values.length,
        ]),
      );
      theirs.services.forEach(({ typeName }, index) => expect(serviceDesc(ours, index).typeName).toBe(typeName));
      theirs.extensions.forEach(({ typeName, number }, index) =>
        expect(extDesc(ours, index)).toMatchObject({ kind: 'extension', typeName, number }),
      );
    }
  });

  it('has one object for each message, also when a field of another file refers to it', () => {
    const coin = lazy.get('cosmos/base/v1beta1/coin') ?? expect.fail();
    const bank = lazy.get('cosmos/bank/v1beta1/tx') ?? expect.fail();
    expect(messageDesc(bank, 0).field['amount']?.message).toBe(messageDesc(coin, 0));
    expect(coin.messages[0]).toBe(messageDesc(coin, 0));
  });

  it('has the options of fields and methods', () => {
    const told = ({ messages, services }: DescFile): readonly unknown[] => [
      ...messages.flatMap(({ fields }) =>
        fields.flatMap((field) => (hasOption(field, customtype) ? [getOption(field, customtype)] : [])),
      ),
      ...services.flatMap(({ methods }) => methods.map((method) => getOption(method, http))),
    ];
    for (const [name, ours, theirs] of pairs) expect(told(ours), name).toEqual(told(theirs));
    const all = pairs.flatMap(([, ours]) => told(ours));
    expect(all.filter((option) => typeof option === 'string').length).toBeGreaterThan(50);
    expect(all.filter((option) => typeof option !== 'string').length).toBeGreaterThan(50);
  });

  it('decodes and encodes maps', () => {
    const struct = lazy.get(file_google_protobuf_struct.name) ?? expect.fail();
    const made = messageDesc(struct, file_google_protobuf_struct.messages.indexOf(StructSchema));
    const bytes = toBinary(
      StructSchema,
      create(StructSchema, { fields: { one: { kind: { case: 'stringValue', value: 'text' } } } }),
    );
    expect(toJson(made, fromBinary(made, bytes))).toEqual({ one: 'text' });
    expect(toBinary(made, fromBinary(made, bytes))).toEqual(bytes);
  });

  it('builds no type when a registry looks up a name', () => {
    const broken = base64Encode(
      encode(FileDescriptorProtoSchema, {
        name: 'broken.proto',
        package: 'broken',
        syntax: 'proto3',
        messageType: [
          { name: 'Message', field: [{ name: 'field', number: 1, type: 11, typeName: '.absent.Message' }] },
        ],
      }),
    );
    const message = createRegistry(fileDesc(broken)).getMessage('broken.Message');
    expect(message?.typeName).toBe('broken.Message');
    expect(() => message?.fields).toThrow('absent.Message');
  });

  it('refuses indices without a type', () => {
    const coin = lazy.get('cosmos/base/v1beta1/coin') ?? expect.fail();
    expect(() => messageDesc(coin, 99).typeName).toThrow('names messages that are there');
    expect(() => enumDesc(coin, 99).typeName).toThrow('names types that are there');
    expect(() => messageDesc(file_google_protobuf_struct, 0)).toThrow('its own file');
  });

  it('encodes and decodes a message, and lists its own keys', () => {
    const coin = create(CoinSchema, { denom: 'x', amount: '1' });
    expect(fromBinary(CoinSchema, toBinary(CoinSchema, coin))).toEqual(coin);
    expect('fields' in CoinSchema && 'kind' in CoinSchema && !('absent' in CoinSchema)).toBe(true);
    expect(Object.keys(CoinSchema)).toContain('fields');
  });
});
