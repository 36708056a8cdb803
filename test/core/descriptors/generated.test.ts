import {
  create,
  createRegistry,
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  getOption,
  hasOption,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { FieldMaskSchema, FileDescriptorProtoSchema, StructSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { boot, enumDesc as bootedEnum, messageDesc as bootedMessage } from '../../../src/core/descriptors/boot.js';
import { enumDesc, extDesc, fileDesc, messageDesc, serviceDesc } from '../../../src/core/descriptors/generated.js';
import { servedFiles } from '../../../src/adapters/services/files.js';
import { customtype, file_gogoproto_gogo } from '../../../src/core/proto/gogoproto/gogo_pb.js';
import { http } from '../../../src/core/proto/google/api/annotations_pb.js';
import { CUSTOM_TYPE, customTypeOf } from '../../../src/core/sdk/codec/custom-type.js';
import { CoinSchema } from '../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';

/** Files of every kind: ours, the library's own, one with maps. */
const files = [...servedFiles().files, StructSchema.file, FieldMaskSchema.file];
const lazy = new Map<string, DescFile>();
for (const file of files) {
  const imports = file.dependencies.map(({ name }) => lazy.get(name) ?? file);
  lazy.set(file.name, fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, file.proto)), imports));
}
const lazyOf = (file: DescFile): DescFile => lazy.get(file.name) ?? expect.fail(file.name);
const proto3 = files.filter(({ proto }) => proto.syntax === 'proto3');

/** Everything that a descriptor tells, other descriptors by their names. */
const shownField = (field: DescField): object => ({
  ...plain(field),
  message: field.message?.typeName,
  enum: field.enum?.typeName,
  oneof: field.oneof?.name,
  parent: field.parent.typeName,
  // of the library's fields it is a property, of ours none
  toString: undefined,
  proto: field.proto,
  text: field.toString(),
  default: field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? field.getDefaultValue() : undefined,
  getDefaultValue: undefined,
});
const shownMessage = (message: DescMessage): object => ({
  kind: message.kind,
  typeName: message.typeName,
  name: message.name,
  file: message.file.name,
  parent: message.parent?.typeName,
  deprecated: message.deprecated,
  fields: message.fields.map(shownField),
  field: Object.entries(message.field).map(([name, field]) => [name, field.number]),
  members: message.members.map((member) => [member.kind, member.toString()]),
  oneofs: message.oneofs.map((oneof) => ({
    ...plain(oneof),
    fields: oneof.fields.map(({ name }) => name),
    parent: oneof.parent.typeName,
    toString: undefined,
    text: oneof.toString(),
  })),
  nestedMessages: message.nestedMessages.map(shownMessage),
  nestedEnums: message.nestedEnums.map(shownEnum),
  nestedExtensions: message.nestedExtensions.map(({ typeName }) => typeName),
  proto: message.proto,
  text: message.toString(),
});
const shownEnum = (desc: DescEnum): object => ({
  kind: desc.kind,
  typeName: desc.typeName,
  name: desc.name,
  file: desc.file.name,
  parent: desc.parent?.typeName,
  open: desc.open,
  deprecated: desc.deprecated,
  sharedPrefix: desc.sharedPrefix,
  proto: desc.proto,
  text: desc.toString(),
  value: Object.entries(desc.value).map(([number, { name }]) => [number, name]),
  values: desc.values.map((value) => ({
    ...plain(value),
    parent: value.parent.typeName,
    toString: undefined,
    text: value.toString(),
  })),
});
const shownMethod = (method: DescMethod): object => ({
  ...plain(method),
  parent: method.parent.typeName,
  input: method.input.typeName,
  output: method.output.typeName,
  toString: undefined,
  text: method.toString(),
});
const shownService = (service: DescService): object => ({
  kind: service.kind,
  typeName: service.typeName,
  name: service.name,
  file: service.file.name,
  deprecated: service.deprecated,
  proto: service.proto,
  text: service.toString(),
  methods: service.methods.map(shownMethod),
  method: Object.keys(service.method),
});
/** Its own properties that say something. */
const plain = (desc: object): object =>
  Object.fromEntries(Object.entries(desc).filter(([, value]: [string, unknown]) => value !== undefined));

describe('descriptors that are made when they are looked into', () => {
  it('are those of the library for every file of the services', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const file of proto3) {
      const made = lazyOf(file);
      expect(made.messages.map(shownMessage)).toEqual(file.messages.map(shownMessage));
      expect(made.enums.map(shownEnum)).toEqual(file.enums.map(shownEnum));
      expect(made.services.map(shownService)).toEqual(file.services.map(shownService));
      expect(made.proto).toEqual(file.proto);
    }
  });

  it('are found by the places that generated code names, each one object', () => {
    for (const file of proto3) {
      const made = lazyOf(file);
      for (const [index, message] of file.messages.entries()) {
        expect(messageDesc(made, index)).toBe(made.messages[index]);
        expect(create(messageDesc(made, index))).toEqual(create(message));
        for (const [place, { typeName }] of message.nestedMessages.entries())
          expect(messageDesc(made, index, place).typeName).toBe(typeName);
        for (const [place, { typeName }] of message.nestedEnums.entries())
          expect(enumDesc(made, index, place).typeName).toBe(typeName);
      }
      for (const index of file.enums.keys()) expect(enumDesc(made, index)).toBe(made.enums[index]);
      for (const index of file.services.keys()) expect(serviceDesc(made, index)).toBe(made.services[index]);
    }
    const coin = CoinSchema.file;
    const [message] = lazyOf(coin).messages;
    expect(createRegistry(lazyOf(coin)).getMessage(CoinSchema.typeName)).toBe(message);
  });

  it('tell the options of fields and methods, by extensions that are made when they are read', () => {
    const gogo = lazyOf(file_gogoproto_gogo);
    for (const [index, { typeName, extendee, number }] of file_gogoproto_gogo.extensions.entries()) {
      const made = extDesc(gogo, index);
      const keys = Object.keys(file_gogoproto_gogo.extensions[index] ?? {});
      expect(Object.keys(made).toSorted()).toEqual(keys.toSorted());
      expect([made.typeName, made.extendee.typeName, made.number]).toEqual([typeName, extendee.typeName, number]);
    }
    expect(customtype.number).toBe(CUSTOM_TYPE);
    const lazyCustomtype = extDesc(gogo, file_gogoproto_gogo.extensions.indexOf(customtype));
    let found = 0;
    for (const file of proto3)
      for (const [index, { fields }] of file.messages.entries())
        for (const [place, field] of fields.entries()) {
          const made = lazyOf(file).messages[index]?.fields[place] ?? expect.fail(field.toString());
          const [is, was] = [hasOption(made, lazyCustomtype), hasOption(field, customtype)];
          expect(is).toBe(was);
          if (is) found += 1;
          expect(is && getOption(made, lazyCustomtype)).toBe(was && getOption(field, customtype));
          expect([customTypeOf(made), customTypeOf(field)]).toEqual(
            Array.from({ length: 2 }, () => (was ? getOption(field, customtype) : undefined)),
          );
        }
    expect(found).toBeGreaterThan(50);
    const rules = (file: DescFile) =>
      file.services.flatMap(({ methods }) => methods.map((each) => getOption(each, http)));
    for (const file of proto3) expect(rules(lazyOf(file))).toEqual(rules(file));
  });

  it('read and write maps', () => {
    const made = messageDesc(lazyOf(StructSchema.file), StructSchema.file.messages.indexOf(StructSchema));
    const bytes = toBinary(
      StructSchema,
      create(StructSchema, { fields: { one: { kind: { case: 'stringValue', value: 'text' } } } }),
    );
    expect(toJson(made, fromBinary(made, bytes))).toEqual({ one: 'text' });
  });

  it('know their imports, and the imports of those', () => {
    const names = (file: DescFile, deep: number): unknown =>
      deep === 0 ? file.name : [file.name, file.dependencies.map((each) => names(each, deep - 1))];
    for (const file of files) expect(names(lazyOf(file), 4)).toEqual(names(file, 4));
  });

  it('tell names and kinds without their imports', () => {
    const whole = files.find(({ name }) => name === 'cosmos/staking/v1beta1/tx') ?? expect.fail();
    const file = fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, whole.proto)));
    const made = messageDesc(file, 0);
    expect([made.typeName, file.edition]).toEqual([whole.messages[0]?.typeName, whole.edition]);
    expect(() => made.fields).toThrow('knows the message .cosmos.staking.v1beta1.Description');
  });

  it('refuse places that are not there', () => {
    const coin = lazyOf(CoinSchema.file);
    expect(() => messageDesc(coin, 99).name).toThrow('generated code names messages that are there');
    expect(() => enumDesc(coin, 0).name).toThrow('generated code names enums that are there');
    expect(() => serviceDesc(coin, 0).name).toThrow('generated code names services that are there');
  });

  it('boot the descriptor of descriptors when it is looked into', () => {
    const file = boot(() => ({
      name: 'google/protobuf/descriptor.proto',
      package: 'google.protobuf',
      messageType: [{ name: 'Outer', enumType: [{ name: 'Inner', value: [{ name: 'ZERO', number: 0 }] }] }],
      enumType: [{ name: 'Top', value: [{ name: 'NONE', number: 0 }] }],
    }));
    expect(bootedMessage(file, 0).typeName).toBe('google.protobuf.Outer');
    expect(bootedEnum(file, 0, 0).typeName).toBe('google.protobuf.Outer.Inner');
    expect(bootedEnum(file, 0).values.map(({ name }) => name)).toEqual(['NONE']);
  });
});
